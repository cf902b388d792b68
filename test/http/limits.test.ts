import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiPaths } from '../../contract/paths.ts';
import { openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('embedded', { isLimiting: true, trustProxy: ['10.0.0.0/8'] });
});
afterAll(() => app.remove());

const guess = (remoteAddress: string, forwardedFor?: string) =>
  app.fastify.inject({
    method: 'GET',
    url: apiPaths.verifyReferral('ZZZZZZZZZZ'),
    remoteAddress,
    ...(forwardedFor !== undefined && { headers: { 'x-forwarded-for': forwardedFor } }),
  });

async function guessUntilRefused(remoteAddress: string, forwardedFor?: string) {
  for (let count = 0; count < 1000; count++) {
    const response = await guess(remoteAddress, forwardedFor);
    if (response.statusCode !== 200) return { count, response };
  }
  return { count: 1000, response: null };
}

test('a client that keeps guessing codes must wait, and no other client', async () => {
  const { count, response } = await guessUntilRefused('192.0.2.1');
  expect(count).toBeGreaterThanOrEqual(40);
  expect(response?.statusCode).toBe(429);
  expect(Number(response?.headers['retry-after'])).toBeGreaterThan(0);
  expect(response?.json().detail).toMatch(/[.]$/);
  expect((await guess('192.0.2.2')).statusCode).toBe(200);
});

test('concurrent guesses do not evade the limit: a valid code beyond it is not revealed', async () => {
  const { referral_code: code } = await app.join('crowd@example.com');
  const ask = (guessed: string) =>
    app.fastify.inject({ url: apiPaths.verifyReferral(guessed), remoteAddress: '192.0.2.33' });
  const answers = await Promise.all([...Array<string>(300).fill('ZZZZZZZZZZ'), code].map(ask));
  const lookedUp = answers.filter(({ statusCode }) => statusCode === 200);
  expect(lookedUp.length).toBeLessThanOrEqual(60);
  expect(lookedUp.filter((answer) => answer.json().valid)).toEqual([]);
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

test('valid codes can be verified without limit', async () => {
  const { referral_code: code } = await app.join('office@example.com');
  for (let count = 0; count < 200; count++) {
    const url = apiPaths.verifyReferral(code);
    const response = await app.fastify.inject({ method: 'GET', url, remoteAddress: '192.0.2.77' });
    expect(response.statusCode).toBe(200);
  }
});

test('loopback peers have no limit by address', async () => {
  expect((await guessUntilRefused('127.0.0.1')).response).toBeNull();
});

test('joins from one address need a proof of work from the threshold on, and end at the limit', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 1000 && statuses.at(-1) !== 429; count++) {
    const payload = { email: `visitor${count}@example.com` };
    const request = {
      method: 'POST',
      url: apiPaths.join(),
      payload,
      remoteAddress: '192.0.2.99',
    } as const;
    statuses.push((await app.fastify.inject(request)).statusCode);
  }
  const inOrder = statuses.filter((status, index) => status !== statuses[index - 1]);
  expect(inOrder).toEqual([201, 428, 429]);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(80);
});
