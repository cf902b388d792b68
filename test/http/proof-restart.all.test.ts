/** Proofs after SIGKILL and on another server: processes that share nothing but the database. */
import { expect, onTestFinished, test } from 'vitest';
import { apiPaths, IDEMPOTENCY_KEY_HEADER, PROOF_HEADER } from '../../contract/paths.ts';
import type { ProofChallenge } from '../../contract/schemas.ts';
import { createMigratedPlace, oneEngine } from '../support/engines.ts';
import { type ServedSite, serveInProcess } from '../support/in-process-server.ts';
import { startServer } from '../support/server-process.ts';
import { CROWD_KEY, newNetwork, type Sent, solve } from './raised-risk.ts';

const network = newNetwork();

async function join({ url }: ServedSite, { email, key = email, proof }: Sent) {
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

async function beRisky(server: ServedSite): Promise<void> {
  // All but the first are counted and make no member.
  const send = (count: number) =>
    join(server, { email: `crowd-${count}@example.com`, key: CROWD_KEY });
  for (let count = 0; (await send(count)).status !== 428; count += 1)
    if (count === 1000) throw new Error('The risk is never raised.');
}

test.each(oneEngine)(
  'on %s a spent proof returns its answer, and admits no other join',
  async (engine) => {
    const place = await createMigratedPlace(engine);
    onTestFinished(() => place.remove());
    const settings = {
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl ?? '',
      SECRET_KEY: 'the same on all servers of a database',
      TRUST_PROXY: '127.0.0.1',
    };
    const first = await startServer(settings);
    onTestFinished(() => first.kill());
    await beRisky(first);
    const refused = await join(first, { email: 'ada@example.com' });
    expect(refused.status).toBe(428);
    const proof = await solve(
      (JSON.parse(refused.body) as { challenge: ProofChallenge }).challenge,
    );
    const answer = await join(first, { email: 'ada@example.com', proof });
    expect(answer.status).toBe(201);
    await first.kill();

    const second = await serveInProcess(settings);
    onTestFinished(async () => void (await second.stop()));
    await beRisky(second);
    expect(await join(second, { email: 'ada@example.com', proof })).toEqual(answer);
    expect((await join(second, { email: 'grace@example.com', proof })).status).toBe(428);
    expect((await join(second, { email: 'grace@example.com', key: null, proof })).status).toBe(428);
    expect(
      (await join(second, { email: 'grace@example.com', key: 'ada@example.com', proof })).status,
    ).toBe(422);
    const stats = await fetch(second.url + apiPaths.stats);
    expect(await stats.json()).toMatchObject({ total_signups: 2 });
  },
);
