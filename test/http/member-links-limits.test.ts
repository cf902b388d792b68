/** Rate limits of member links per IP address. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailPagePaths } from '../../contract/paths.ts';
import { pageOf, SECRET_KEY, tokenOf } from './mail-links.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const { confirm, preferences, unsubscribe, downloadData } = mailPagePaths;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('embedded', { secretKey: SECRET_KEY, isLimiting: true });
});
afterAll(() => app.remove());

const ask = (method: 'GET' | 'POST', url: string, remoteAddress: string) =>
  app.fastify.inject({
    method,
    url,
    remoteAddress,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

async function askUntilRefused(method: 'GET' | 'POST', url: string, address: string) {
  for (let times = 0; times < 500; times++) {
    const answer = await ask(method, url, address);
    if (answer.statusCode === 429) return { times, answer };
  }
  return { times: 500, answer: null };
}

test('guessing tokens is limited with a page that says so; valid links still open', async () => {
  const { id } = await app.join('right@example.com');
  const { times, answer } = await askUntilRefused('GET', preferences('wrong'), '192.0.2.1');
  expect(times).toBe(60);
  expect(pageOf(answer ?? { payload: '' })).toBe('link-trouble');
  expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('GET', preferences(tokenOf(id, 'preferences')), '192.0.2.1')).statusCode).toBe(
    200,
  );
  expect((await ask('GET', preferences('wrong'), '192.0.2.2')).statusCode).toBe(404);
});

test('form posts are limited, one-click unsubscription is not', async () => {
  const { id } = await app.join('often@example.com');
  const token = tokenOf(id, 'preferences');
  expect((await askUntilRefused('POST', confirm(tokenOf(id, 'confirm')), '192.0.2.3')).times).toBe(
    120,
  );
  expect((await ask('POST', downloadData(token), '192.0.2.3')).statusCode).toBe(429);
  expect((await askUntilRefused('POST', unsubscribe(token), '192.0.2.3')).answer).toBeNull();
});
