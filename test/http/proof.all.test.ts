/** Risky joins: refused without a proof of work, which admits one join, also after SIGKILL. */
import { Compile } from 'typebox/compile';
import { describe, expect, onTestFinished, test } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { type ProofChallenge, ProofRequired } from '../../contract/schemas.ts';
import { createMigratedPlace, oneEngine } from '../support/engines.ts';
import { type ServedSite, serveInProcess } from '../support/in-process-server.ts';
import { startServer } from '../support/server-process.ts';
import { provideApp } from './provide-app.ts';
import {
  CROWD_KEY,
  headersOf,
  newNetwork,
  raiseRisk,
  type Sent,
  sendJoin,
  solve,
} from './raised-risk.ts';

const proofRequired = Compile(ProofRequired);

type Server = Parameters<typeof sendJoin>[0];

describe.each(oneEngine)('when risk is raised, on %s', (engine) => {
  const app = provideApp(engine, { isLimiting: true });
  let network: string;
  let joins = 0;

  const newEmail = () => {
    joins += 1;
    return `visitor-${joins}@example.com`;
  };
  const networks = new Map<Server, string>();
  const networkOf = (from: Server) => networks.get(from) ?? network;
  const send = (sent: Sent, from: Server = app) => sendJoin(from, networkOf(from), sent);
  const readTotal = async () =>
    (await app.fastify.inject(apiPaths.stats)).json().total_signups as number;

  async function expectRefused(answer: ReturnType<typeof send>): Promise<ProofChallenge> {
    const { statusCode, headers, payload } = await answer;
    expect([statusCode, payload]).toEqual([428, expect.any(String)]);
    const body = JSON.parse(payload);
    expect(proofRequired.Check(body)).toBe(true);
    expect(Object.keys(body)).toEqual(['detail', 'challenge']);
    expect(body.detail).toMatch(/^[A-Z].*[.]$/);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    });
    return body.challenge;
  }

  /** Each server gets its own network: all their joins together would exceed the limit of one. */
  async function beRisky(from: Server = app): Promise<void> {
    if (from !== app) networks.set(from, newNetwork());
    await raiseRisk(from, networkOf(from));
  }
  const prove = async (sent: Sent) => solve(await expectRefused(send(sent)));

  test('an office needs no proof; joins beyond it are refused until one is sent', async () => {
    network = newNetwork();
    expect(await raiseRisk(app, network)).toBeGreaterThanOrEqual(80);
    const email = newEmail();
    const total = await readTotal();
    const proof = await prove({ email });
    expect(await readTotal()).toBe(total);
    const joined = await send({ email, proof });
    expect(joined.statusCode).toBe(201);
    expect(joined.json()).toMatchObject({ email, position: total + 1 });
    expect(await readTotal()).toBe(total + 1);
    network = newNetwork();
    expect((await send({ email: newEmail() })).statusCode).toBe(201);
  });

  test('of many concurrent joins with one proof, one is admitted', async () => {
    network = newNetwork();
    await beRisky();
    const key = newEmail();
    const proof = await prove({ email: newEmail(), key });
    const keyless = await prove({ email: newEmail(), key: null });
    const total = await readTotal();
    const other = await app.openAnother();
    await beRisky(other);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const sent = index % 2 === 0 ? { key, proof } : { key: null, proof: keyless };
        return send({ email: newEmail(), ...sent }, index % 3 === 0 ? other : app);
      }),
    );
    await other.close();
    expect(await readTotal()).toBe(total + 2);
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201, 422, 428]));
  });

  test('a registered address is reported only after a proof', async () => {
    network = newNetwork();
    const email = newEmail();
    expect((await send({ email })).statusCode).toBe(201);
    await beRisky();
    const key = newEmail();
    const proof = await prove({ email, key });
    const known = await send({ email, key, proof });
    expect([known.statusCode, Object.keys(known.json())]).toEqual([409, ['detail', 'code']]);
  });

  test('a form without its script explains what to do, and keeps the address', async () => {
    const { referral_code: code } = await app.join(newEmail());
    network = newNetwork();
    await beRisky();
    const email = newEmail();
    for (const [url, nextStep] of [
      [pagePaths.landing, 'press the button again'],
      [fillPath(pagePaths.invite, code), 'open your invite again'],
    ] as const) {
      const { statusCode, headers, payload } = await app.fastify.inject({
        method: 'POST',
        url,
        payload: new URLSearchParams({ email }).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'text/html',
          'sec-fetch-site': 'same-origin',
        },
        remoteAddress: network,
      });
      expect(statusCode).toBe(428);
      expect(headers['content-type']).toContain('text/html');
      expect(payload).toContain(`value="${email}"`);
      expect(payload).toContain(`Please allow scripts for this site and ${nextStep}`);
    }
  });
});

const ofServers = newNetwork();

async function join({ url }: ServedSite, sent: Sent) {
  const response = await fetch(url + apiPaths.join, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': ofServers,
      ...headersOf(sent),
    },
    body: JSON.stringify({ email: sent.email }),
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
