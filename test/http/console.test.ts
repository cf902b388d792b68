/** How the console is served: one document for all its paths, and its hashed files. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consolePaths } from '../../contract/operator/paths.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { CONSOLE, CONSOLE_SCRIPT_PATH, SCRIPT } from './test-site.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres');
});
afterAll(() => app.remove());

const browsing = { accept: 'text/html' };

test.each([consolePaths.home, `${consolePaths.home}/`, `${consolePaths.home}/any/screen?q=a`])(
  '%s is the document, for no cache and no search engine',
  async (url) => {
    const { statusCode, headers, body } = await app.fastify.inject({ url, headers: browsing });
    expect(statusCode).toBe(200);
    expect(body).toBe(CONSOLE);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-robots-tag': 'noindex',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  },
);

test('its policy is that of the site and its own frames, and allows nothing unsafe', async () => {
  const policyOf = async (url: string) =>
    (await app.fastify.inject({ url, headers: browsing })).headers['content-security-policy'];
  expect(await policyOf(consolePaths.home)).toBe(`${await policyOf('/')};frame-src 'self'`);
  expect(await policyOf(consolePaths.home)).not.toContain('unsafe');
});

test('the camera is allowed in the document of the door alone', async () => {
  const featuresOf = async (url: string) =>
    (await app.fastify.inject({ url, headers: browsing })).headers['permissions-policy'];
  expect(await featuresOf(consolePaths.door)).toMatch(/camera=\(self\), microphone=\(\)/);
  for (const url of ['/', consolePaths.home, `${consolePaths.door}s`, `${consolePaths.door}/x`])
    expect(await featuresOf(url)).toMatch(/camera=\(\)/);
});

test('its files are compressed, and kept for ever', async () => {
  const { headers, rawPayload } = await app.fastify.inject({
    url: CONSOLE_SCRIPT_PATH,
    headers: { 'accept-encoding': 'br' },
  });
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
  });
  expect(rawPayload.length).toBeLessThan(SCRIPT.length);
});

test('a file that is not there is no document', async () => {
  const url = `${consolePaths.assets}nothing.js`;
  const { statusCode, headers } = await app.fastify.inject({ url, headers: browsing });
  expect(statusCode).toBe(404);
  expect(headers['content-type']).toContain('application/json');
});

test('the console answers GET alone', async () => {
  const { statusCode, headers } = await app.fastify.inject({
    method: 'POST',
    url: consolePaths.home,
  });
  expect(statusCode).toBe(405);
  expect(headers.allow).toBe('GET, HEAD, OPTIONS');
});
