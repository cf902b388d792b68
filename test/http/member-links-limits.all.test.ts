/** Rate limits of member links per IP address. */
import { afterAll, beforeAll, expect } from 'vitest';
import { fillPath, mailPagePaths } from '../../contract/paths.ts';
import { tellStory } from '../support/tell-story.ts';
import { pageOf, SECRET_KEY, tokenOf } from './mail-links.ts';
import { openTestApp, type TestApp } from './test-app.ts';

const { confirm, preferences, unsubscribe, downloadData } = mailPagePaths;

let app: TestApp;
beforeAll(async () => {
  // With one connection, requests wait for a slot.
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

const step = tellStory('one limit after the other');

step('guessing tokens is limited with a page that says so; valid links still open', async () => {
  const { id } = await app.join('right@example.com');
  const { times, answer } = await askUntilRefused(
    'GET',
    fillPath(preferences, 'wrong'),
    '192.0.2.1',
  );
  expect(times).toBe(60);
  expect(pageOf(answer ?? { payload: '' })).toBe('link-trouble');
  expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0);
  expect(
    (await ask('GET', fillPath(preferences, tokenOf(id, 'preferences')), '192.0.2.1')).statusCode,
  ).toBe(200);
  expect((await ask('GET', fillPath(preferences, 'wrong'), '192.0.2.2')).statusCode).toBe(404);
});

step("a member's own links are limited from any address, and nobody else's are", async () => {
  const own = await app.join('own@example.com');
  const other = await app.join('another@example.com');
  const token = tokenOf(own.id, 'preferences');
  const { times, answer } = await askUntilRefused('GET', fillPath(preferences, token), '192.0.2.5');
  expect(times).toBe(120);
  expect(pageOf(answer ?? { payload: '' })).toBe('link-trouble');
  expect(Number(answer?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await ask('POST', fillPath(downloadData, token), '192.0.2.6')).statusCode).toBe(429);
  expect((await ask('POST', fillPath(unsubscribe, token), '192.0.2.6')).statusCode).toBe(200);
  const otherToken = tokenOf(other.id, 'preferences');
  expect((await ask('GET', fillPath(preferences, otherToken), '192.0.2.5')).statusCode).toBe(200);
});

step(
  'a crowd of downloads for one member waits for slots, and delays no other member',
  async () => {
    const unlimited = await app.openAnother({ isLimiting: false });
    const [one, other] = [
      await app.join('crowded@example.com'),
      await app.join('alone@example.com'),
    ];
    const order: string[] = [];
    const download = async (name: string, id: string) => {
      const answer = await unlimited.fastify.inject({
        method: 'POST',
        url: fillPath(downloadData, tokenOf(id, 'preferences')),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      order.push(name);
      return answer;
    };
    const database = Promise.withResolvers<void>();
    const held = app.database.kysely.transaction().execute(() => database.promise);
    const crowd = Array.from({ length: 100 }, () => download('crowd', one.id));
    const asked = download('alone', other.id);
    try {
      // One is under way and 64 wait.
      await expect.poll(() => order.length).toBe(36);
    } finally {
      database.resolve();
      await held;
    }
    const alone = await asked;
    const answers = await Promise.all(crowd);
    await unlimited.close();
    expect([alone.statusCode, alone.json().member.email]).toEqual([200, 'alone@example.com']);
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(refused.length).toBe(36);
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(64);
    for (const answer of refused) {
      expect(pageOf(answer)).toBe('link-trouble');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(order.indexOf('alone') - refused.length).toBeLessThan(3);
  },
);

step('form posts are limited, one-click unsubscription is not', async () => {
  const { id } = await app.join('often@example.com');
  const token = tokenOf(id, 'preferences');
  expect(
    (await askUntilRefused('POST', fillPath(confirm, tokenOf(id, 'confirm')), '192.0.2.3')).times,
  ).toBe(120);
  expect((await ask('POST', fillPath(downloadData, token), '192.0.2.3')).statusCode).toBe(429);
  expect(
    (await askUntilRefused('POST', fillPath(unsubscribe, token), '192.0.2.3')).answer,
  ).toBeNull();
});
