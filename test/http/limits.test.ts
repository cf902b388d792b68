import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiPaths, fillPath, imagePaths, pagePaths } from '../../contract/paths.ts';
import { isAll } from '../support/test-form.ts';
import { openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres', { isLimiting: true, trustProxy: ['10.0.0.0/8'] });
});
afterAll(() => app.remove());

const guess = (remoteAddress: string, forwardedFor?: string) =>
  app.fastify.inject({
    method: 'GET',
    url: fillPath(apiPaths.verifyReferral, 'ZZZZZZZZZZ'),
    remoteAddress,
    ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
  });

/** More than any limit. */
const MANY = 200;

async function guessUntilRefused(remoteAddress: string, forwardedFor?: string) {
  for (let count = 0; count < MANY; count++) {
    const response = await guess(remoteAddress, forwardedFor);
    if (response.statusCode !== 200) return { count, response };
  }
  return { count: MANY, response: null };
}

test('a client that keeps guessing codes must wait, and no other client', async () => {
  const { count, response } = await guessUntilRefused('192.0.2.1');
  expect(count).toBeGreaterThanOrEqual(40);
  expect(response?.statusCode).toBe(429);
  expect(Number(response?.headers['retry-after'])).toBeGreaterThan(0);
  expect(response?.json().detail).toMatch(/[.]$/);
  expect((await guess('192.0.2.2')).statusCode).toBe(200);
});

const getFrom = (remoteAddress: string, url: string) =>
  app.fastify.inject({ method: 'GET', url, remoteAddress });
const statusesOf = (answers: readonly { statusCode: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ statusCode }) => statusCode)].map(([status, { length }]) => [
      status,
      length,
    ]),
  );

test('concurrent guesses do not evade the limit; a valid code among them is answered', async () => {
  const { referral_code: code } = await app.join('crowd@example.com');
  const codes = Array<string>(MANY)
    .fill('ZZZZZZZZZZ')
    .with(MANY - 1, code);
  const answers = await Promise.all(
    codes.map((guessed) => getFrom('192.0.2.33', fillPath(apiPaths.verifyReferral, guessed))),
  );
  expect(statusesOf(answers)).toEqual({ 200: 61, 429: MANY - 61 });
  expect(answers[MANY - 1]?.json()).toMatchObject({ valid: true });
});

test('valid codes are never refused, however many are asked for at once', async () => {
  const { referral_code: code } = await app.join('popular@example.com');
  const url = fillPath(apiPaths.verifyReferral, code);
  const answers = await Promise.all(Array.from({ length: MANY }, () => getFrom('192.0.2.34', url)));
  expect(statusesOf(answers)).toEqual({ 200: MANY });
});

test.runIf(isAll)(
  'after too many wrong codes an address still gets cards, ghosts, QRs and pages',
  async () => {
    const { referral_code: code } = await app.join('shared@example.com');
    const campus = '192.0.2.35';
    await guessUntilRefused(campus);
    const paths = (of: string) => [
      fillPath(apiPaths.verifyReferral, of),
      fillPath(imagePaths.inviteCard, of, 'x'),
      fillPath(imagePaths.ghost, of, 'x'),
      fillPath(imagePaths.reward, of, 'shirt', 'x'),
      fillPath(imagePaths.inviteQr, of),
    ];
    for (const path of paths(code))
      expect([path, (await getFrom(campus, path)).statusCode]).toEqual([path, 200]);
    for (const path of paths('ZZZZZZZZZZ'))
      expect([path, (await getFrom(campus, path)).statusCode]).toEqual([path, 429]);
    await expect
      .poll(async () => (await getFrom(campus, fillPath(pagePaths.invite, code))).payload)
      .toContain('ghost-paint');
    const unlit = await getFrom(campus, fillPath(pagePaths.invite, 'ZZZZZZZZZZ'));
    expect([unlit.statusCode, unlit.payload.includes('ghost-paint')]).toEqual([200, false]);
  },
);

test('pages of wrong codes count as guesses', async () => {
  const remoteAddress = '192.0.2.36';
  for (let count = 0; count < 60; count++)
    await getFrom(remoteAddress, fillPath(pagePaths.invite, 'ZZZZZZZZZZ'));
  expect((await guess(remoteAddress)).statusCode).toBe(429);
});

test('joins that fail validation use up none', async () => {
  const remoteAddress = '192.0.2.37';
  const join = (payload: object) =>
    app.fastify.inject({ method: 'POST', url: apiPaths.join, payload, remoteAddress });
  const malformed = await Promise.all(
    Array.from({ length: 2 * MANY }, (_, index) =>
      join(index % 2 === 0 ? { email: `mistyped ${index}` } : { email: index }),
    ),
  );
  expect(statusesOf(malformed)).toEqual({ 422: 2 * MANY });
  expect((await join({ email: 'typed-right@example.com' })).statusCode).toBe(201);
});

test('the addresses of one IPv6 /64 count as one', async () => {
  await guessUntilRefused('2001:db8:1:2::1');
  expect((await guess('2001:db8:1:2:ffff::9')).statusCode).toBe(429);
  expect((await guess('2001:db8:1:3::1')).statusCode).toBe(200);
});

test('a forwarded address is trusted from a named proxy only', async () => {
  await guessUntilRefused('10.1.1.1', '198.51.100.1');
  expect((await guess('10.1.1.1', '198.51.100.2')).statusCode).toBe(200);
  await guessUntilRefused('192.0.2.50', '198.51.100.3');
  expect((await guess('192.0.2.50', '198.51.100.4')).statusCode).toBe(429);
});

test('loopback peers have no limit by address', async () => {
  expect((await guessUntilRefused('127.0.0.1')).response).toBeNull();
});

test('joins of one address need a proof from the threshold on, and end at the limit', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 1000 && statuses.at(-1) !== 429; count++) {
    const payload = { email: `visitor${count}@example.com` };
    const request = {
      method: 'POST',
      url: apiPaths.join,
      payload,
      remoteAddress: '192.0.2.99',
    } as const;
    statuses.push((await app.fastify.inject(request)).statusCode);
  }
  const inOrder = statuses.filter((status, index) => status !== statuses[index - 1]);
  expect(inOrder).toEqual([201, 428, 429]);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(80);
});
