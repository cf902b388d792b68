/** Risky joins: refused without a proof of work, and a proof admits one join. */
import { Compile } from 'typebox/compile';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { apiPaths, fillPath, pagePaths } from '../../contract/paths.ts';
import { type ProofChallenge, ProofRequired } from '../../contract/schemas.ts';
import { oneEngine } from '../support/engines.ts';
import { encodeProof, newNetwork, raiseRisk, type Sent, sendJoin, solve } from './raised-risk.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const proofRequired = Compile(ProofRequired);

type Server = Parameters<typeof sendJoin>[0];

describe.each(oneEngine)('when risk is raised, on %s', (engine) => {
  let app: TestApp;
  let network: string;
  let joins = 0;
  beforeAll(async () => {
    app = await openTestApp(engine, { isLimiting: true });
  });
  afterAll(() => app.remove());
  afterEach(() => void vi.useRealTimers());

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

  test('a lost answer comes again for the same proof, a new one, and elsewhere', async () => {
    network = newNetwork();
    await beRisky();
    const email = newEmail();
    const proof = await prove({ email });
    const first = await send({ email, proof });
    const anew = await send({ email, proof: await prove({ email }) });
    const other = await app.openAnother();
    await beRisky(other);
    const elsewhere = await send({ email, proof }, other);
    await other.close();
    for (const again of [await send({ email, proof }), anew, elsewhere]) {
      expect(again.statusCode).toBe(201);
      expect(again.payload).toBe(first.payload);
    }
  });

  test('a spent proof admits no other join, on any server or after a restart', async () => {
    network = newNetwork();
    await beRisky();
    const email = newEmail();
    const proof = await prove({ email });
    expect((await send({ email, proof })).statusCode).toBe(201);
    const total = await readTotal();
    const other = await app.openAnother();
    await beRisky(other);
    for (const from of [app, other]) {
      await expectRefused(send({ email: newEmail(), proof }, from));
      await expectRefused(send({ email: newEmail(), key: null, proof }, from));
      const sameKey = await send({ email: newEmail(), key: email, proof }, from);
      expect([sameKey.statusCode, sameKey.json().detail]).toEqual([
        422,
        expect.stringContaining('another request'),
      ]);
    }
    await other.close();
    const restarted = await app.openAnother();
    await beRisky(restarted);
    await expectRefused(send({ email: newEmail(), proof }, restarted));
    await restarted.close();
    expect(await readTotal()).toBe(total);
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

  test('a client that sends no idempotency key can join, once', async () => {
    network = newNetwork();
    await beRisky();
    const email = newEmail();
    const proof = await prove({ email, key: null });
    const first = await send({ email, key: null, proof });
    expect(first.statusCode).toBe(201);
    expect((await send({ email, key: null, proof })).payload).toBe(first.payload);
    const challenge = await expectRefused(send({ email: newEmail(), key: null, proof }));
    expect(
      (await send({ email: newEmail(), key: null, proof: await solve(challenge) })).statusCode,
    ).toBe(201);
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

  test('an expired proof is refused with a new challenge', async () => {
    network = newNetwork();
    await beRisky();
    const email = newEmail();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 601_000 });
    const proof = await prove({ email });
    vi.useRealTimers();
    const answer = await send({ email, proof });
    expect(answer.json().detail).toContain('expired');
    const fresh = await solve(await expectRefused(Promise.resolve(answer)));
    expect((await send({ email, proof: fresh })).statusCode).toBe(201);
  });

  test('forged, cheaper, unsolved and malformed proofs are refused', async () => {
    network = newNetwork();
    await beRisky();
    const email = newEmail();
    const proof = await prove({ email });
    const { challenge, solution } = JSON.parse(Buffer.from(proof, 'base64').toString());
    const other = JSON.parse(Buffer.from(await prove({ email }), 'base64').toString());
    const changed = (parameters: object) =>
      encodeProof({
        challenge: { ...challenge, parameters: { ...challenge.parameters, ...parameters } },
        solution,
      });
    for (const wrong of [
      '',
      'proof',
      'é',
      '{}',
      encodeProof({}),
      encodeProof([]),
      encodeProof({ challenge }),
      encodeProof({ challenge, solution: other.solution }),
      encodeProof({ challenge: { ...challenge, signature: other.challenge.signature }, solution }),
      changed({ cost: 1 }),
      changed({ keyPrefix: '' }),
      changed({ expiresAt: 4_000_000_000 }),
      changed({ data: { join: '' } }),
      'A'.repeat(12_000),
      `${proof}, ${proof}`,
    ])
      await expectRefused(send({ email, proof: wrong }));
    expect((await send({ email, proof })).statusCode).toBe(201);
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
      const payload = new URLSearchParams({ email }).toString();
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
      };
      const answer = await app.fastify.inject({
        method: 'POST',
        url,
        payload,
        headers,
        remoteAddress: network,
      });
      expect(answer.statusCode).toBe(428);
      expect(answer.headers['content-type']).toContain('text/html');
      expect(answer.payload).toContain(`value="${email}"`);
      expect(answer.payload).toContain(`Please allow scripts for this site and ${nextStep}`);
    }
  });

  test('the API documents the proof', async () => {
    const { paths } = (await app.fastify.inject('/api/openapi.json')).json();
    const { responses, parameters } = paths[apiPaths.join].post;
    expect(Object.keys(responses)).toContain('428');
    expect(parameters.map(({ name }: { name: string }) => name)).toContain('x-proof');
  });
});
