/** Limits of addresses, and where requests say which one they come from. */
import { expect, test } from 'vitest';
import { apiPaths, fillPath, imagePaths, pagePaths } from '../../contract/paths.ts';
import { isAll } from '../support/test-form.ts';
import { provideApp } from './provide-app.ts';

const app = provideApp('postgres', { isLimiting: true, trustProxy: ['10.0.0.0/8'] });

/** More than any limit. */
const MANY = 200;
const WRONG = 'ZZZZZZZZZZ';
type Peer = [address: string, forwardedFor?: string];

const urlOf = (code: string) => fillPath(apiPaths.verifyReferral, code);

const getFrom = (remoteAddress: string, url: string, forwardedFor?: string) =>
  app.fastify.inject({
    url,
    remoteAddress,
    ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
  });
const guess = async (from: string, forwardedFor?: string) =>
  (await getFrom(from, urlOf(WRONG), forwardedFor)).statusCode;
const statusesOf = (answers: readonly { statusCode: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ statusCode }) => statusCode)].map(([status, { length }]) => [
      status,
      length,
    ]),
  );
async function exhaust(from: string, forwardedFor?: string): Promise<number> {
  for (let count = 0; count < MANY; count++)
    if ((await guess(from, forwardedFor)) !== 200) return count;
  return MANY;
}

test.each<[of: string, from: Peer, other: Peer, max: number]>([
  ['a visitor, and no other one', ['192.0.2.1'], ['192.0.2.2'], 60],
  ['all addresses of one IPv6 /64', ['2001:db8:1:2::1'], ['2001:db8:1:3::1'], 60],
  ['an address of a named proxy', ['10.1.1.1', '198.51.100.1'], ['10.1.1.1', '198.51.100.2'], 60],
  ['no loopback peer', ['127.0.0.1'], ['127.0.0.1'], MANY],
])('the guesses of %s are limited', async (_what, from, other, max) => {
  const [address, forwardedFor] = from;
  expect(await exhaust(address, forwardedFor)).toBe(max);
  expect(await guess(...other)).toBe(200);
  const refused = await getFrom(address, urlOf(WRONG), forwardedFor);
  if (max < MANY) {
    expect([refused.statusCode, refused.json().detail]).toEqual([
      429,
      expect.stringMatching(/[.]$/),
    ]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
});

test('an address that nobody may forward does not evade a limit', async () => {
  await exhaust('192.0.2.50', '198.51.100.3');
  expect(await guess('192.0.2.50', '198.51.100.4')).toBe(429);
  await exhaust('2001:db8:1:4::1');
  expect(await guess('2001:db8:1:4:ffff::9')).toBe(429);
});

test('concurrent guesses do not evade the limit; valid codes are always answered', async () => {
  const { referral_code: code } = await app.join('crowd@example.com');
  const codes = Array<string>(MANY)
    .fill(WRONG)
    .with(MANY - 1, code);
  const answers = await Promise.all(codes.map((one) => getFrom('192.0.2.33', urlOf(one))));
  expect(statusesOf(answers)).toEqual({ 200: 61, 429: MANY - 61 });
  expect(answers[MANY - 1]?.json()).toMatchObject({ valid: true });
  expect((await getFrom('192.0.2.33', urlOf(code))).statusCode).toBe(200);
  const valid = Array.from({ length: MANY }, () => getFrom('192.0.2.34', urlOf(code)));
  expect(statusesOf(await Promise.all(valid))).toEqual({ 200: MANY });
});

test.runIf(isAll)(
  'after too many wrong codes an address still gets cards, ghosts, QRs and pages',
  async () => {
    const { referral_code: code } = await app.join('shared@example.com');
    const campus = '192.0.2.35';
    await exhaust(campus);
    const statuses = async (of: string) => {
      const answers = [
        urlOf(of),
        fillPath(imagePaths.inviteCard, of, 'x'),
        fillPath(imagePaths.ghost, of, 'x'),
        fillPath(imagePaths.reward, of, 'shirt', 'x'),
        fillPath(imagePaths.inviteQr, of),
      ].map((path) => getFrom(campus, path));
      return statusesOf(await Promise.all(answers));
    };
    expect([await statuses(code), await statuses(WRONG)]).toEqual([{ 200: 5 }, { 429: 5 }]);
    const page = (of: string) => getFrom(campus, fillPath(pagePaths.invite, of));
    await expect.poll(async () => (await page(code)).payload).toContain('ghost-paint');
    const unlit = await page(WRONG);
    expect([unlit.statusCode, unlit.payload.includes('ghost-paint')]).toEqual([200, false]);
  },
);

test('pages of wrong codes count as guesses', async () => {
  for (let count = 0; count < 60; count++)
    await getFrom('192.0.2.36', fillPath(pagePaths.invite, WRONG));
  expect(await guess('192.0.2.36')).toBe(429);
});

const joinFrom = (remoteAddress: string, payload: object) =>
  app.fastify.inject({ method: 'POST', url: apiPaths.join, payload, remoteAddress });

test('joins that fail validation use up none', async () => {
  const malformed = Array.from({ length: 2 * MANY }, (_, index) =>
    joinFrom('192.0.2.37', { email: index % 2 === 0 ? `mistyped ${index}` : index }),
  );
  expect(statusesOf(await Promise.all(malformed))).toEqual({ 422: 2 * MANY });
  const right = await joinFrom('192.0.2.37', { email: 'typed-right@example.com' });
  expect(right.statusCode).toBe(201);
});

test('joins of one address need a proof from the threshold on, and end at the limit', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 1000 && statuses.at(-1) !== 429; count++)
    statuses.push(
      (await joinFrom('192.0.2.99', { email: `visitor${count}@example.com` })).statusCode,
    );
  const inOrder = statuses.filter((status, index) => status !== statuses[index - 1]);
  expect(inOrder).toEqual([201, 428, 429]);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(80);
});
