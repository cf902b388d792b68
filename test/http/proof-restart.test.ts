/** Proofs after SIGKILL and on another server: processes that share nothing but the database. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiPaths, IDEMPOTENCY_KEY_HEADER, PROOF_HEADER } from '../../contract/paths.ts';
import type { ProofChallenge } from '../../contract/schemas.ts';
import { createMigratedPlace, type DatabasePlace, oneEngine } from '../support/engines.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { CROWD_KEY, newNetwork, type Sent, solve } from './raised-risk.ts';

const network = newNetwork();

async function join({ url }: ServerProcess, { email, key = email, proof }: Sent) {
  const response = await fetch(url + apiPaths.join, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': network,
      ...(key !== null && { [IDEMPOTENCY_KEY_HEADER]: key }),
      ...(proof !== undefined && { [PROOF_HEADER]: proof }),
    },
    body: JSON.stringify({ email }),
  });
  return { status: response.status, body: await response.text() };
}

async function beRisky(server: ServerProcess): Promise<void> {
  // All but the first are counted and make no member.
  const send = (count: number) =>
    join(server, { email: `crowd-${count}@example.com`, key: CROWD_KEY });
  for (let count = 0; (await send(count)).status !== 428; count += 1)
    if (count === 1000) throw new Error('The risk is never raised.');
}

describe.each(oneEngine)('on %s', (engine) => {
  let place: DatabasePlace;
  let servers: ServerProcess[];
  beforeEach(async () => {
    place = await createMigratedPlace(engine);
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await place.remove();
  });

  async function open(): Promise<ServerProcess> {
    const server = await startServer({
      DATA_DIR: place.dataDir,
      ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
      SECRET_KEY: 'the same on all servers of a database',
      TRUST_PROXY: '127.0.0.1',
    });
    servers.push(server);
    return server;
  }

  test('a spent proof returns its answer, and admits no other join', async () => {
    const first = await open();
    await beRisky(first);
    const refused = await join(first, { email: 'ada@example.com' });
    expect(refused.status).toBe(428);
    const proof = await solve(
      (JSON.parse(refused.body) as { challenge: ProofChallenge }).challenge,
    );
    const answer = await join(first, { email: 'ada@example.com', proof });
    expect(answer.status).toBe(201);
    await first.kill();
    servers = [];

    const second = await open();
    await beRisky(second);
    expect(await join(second, { email: 'ada@example.com', proof })).toEqual(answer);
    expect((await join(second, { email: 'grace@example.com', proof })).status).toBe(428);
    expect((await join(second, { email: 'grace@example.com', key: null, proof })).status).toBe(428);
    expect(
      (await join(second, { email: 'grace@example.com', key: 'ada@example.com', proof })).status,
    ).toBe(422);
    const stats = await fetch(second.url + apiPaths.stats);
    expect(await stats.json()).toMatchObject({ total_signups: 2 });
  });
});
