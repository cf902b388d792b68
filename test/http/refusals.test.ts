/** Every answer other than 2xx has a fitting status and a sentence in `detail`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { SCRIPT_PATH } from './test-site.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres');
});
afterAll(() => app.remove());

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';

function expectDetail(payload: string): void {
  const body = JSON.parse(payload) as Record<string, unknown>;
  expect(Object.keys(body)).toEqual(['detail']);
  expect(body.detail).toMatch(/^[A-Z].*[.]$/);
}

describe('invalid join bodies', () => {
  test.each([
    ['no JSON', '{bad', 400],
    ['nothing', '', 400],
    ['a key twice removed', '{"__proto__":{"a":1},"email":"a@example.com"}', 400],
    ['an array', '[]', 422],
    ['null', 'null', 422],
    ['a string', '"a@example.com"', 422],
    ['no address', '{}', 422],
    ['an address in a list', '{"email":["a@example.com"]}', 422],
    ['a number for an address', '{"email":1}', 422],
    ['a number for a code', '{"email":"a@example.com","referred_by":1}', 422],
    ['too much', JSON.stringify({ email: 'a'.repeat(17_000) }), 413],
  ])('%s', async (_name, payload, status) => {
    const headers = { 'content-type': 'application/json' };
    const response = await app.fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      payload,
      headers,
    });
    expect(response.statusCode).toBe(status);
    expectDetail(response.payload);
  });

  test.each([
    'text/plain',
    'text/html',
    'text/json',
    'text/xml',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonp',
    'application/json5',
    'application/x-ndjson',
    'image/svg+xml',
    'nonsense',
  ])('JSON sent as %s', async (type) => {
    const payload = '{"email":"a@example.com"}';
    const headers = { 'content-type': type };
    const response = await app.fastify.inject({
      method: 'POST',
      url: apiPaths.join,
      payload,
      headers,
    });
    expect(response.statusCode).toBe(415);
    expectDetail(response.payload);
  });
});

describe('unknown paths and methods', () => {
  test.each([
    ['PUT', apiPaths.join, 'POST, OPTIONS'],
    ['GET', apiPaths.join, 'POST, OPTIONS'],
    ['POST', apiPaths.stats, 'GET, HEAD, OPTIONS'],
    ['DELETE', fillPath(apiPaths.status, 'x'), 'GET, HEAD, OPTIONS'],
    ['PATCH', fillPath(apiPaths.verifyReferral, 'x'), 'GET, HEAD, OPTIONS'],
    ['DELETE', '/', 'GET, HEAD, POST, OPTIONS'],
  ] as const)('%s %s is told what is allowed', async (method: Method, url, allow) => {
    const headers = { 'content-type': 'text/plain' };
    const response = await app.fastify.inject({ method, url, payload: 'x', headers });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe(allow);
    expectDetail(response.payload);
  });

  test.each(['PROPFIND', 'TRACE', 'MKCOL', 'PURGE', 'SEARCH'])(
    '%s gets 405 with the allowed methods at a known path, and 404 elsewhere',
    async (name) => {
      const method = name as Method;
      for (const [url, allow] of [
        ['/', 'GET, HEAD, POST, OPTIONS'],
        [`${fillPath(apiPaths.verifyReferral, 'x')}?a=/nothing`, 'GET, HEAD, OPTIONS'],
        ['/invite/ABC/card/1.jpg', 'GET, HEAD, OPTIONS'],
        [SCRIPT_PATH, 'HEAD, GET, OPTIONS'],
      ] as const) {
        const response = await app.fastify.inject({
          method,
          url,
          headers: { accept: 'text/html' },
        });
        expect([response.statusCode, response.headers.allow]).toEqual([405, allow]);
        expectDetail(response.payload);
      }
      expect((await app.fastify.inject({ method, url: '/nothing' })).statusCode).toBe(404);
    },
  );

  test('OPTIONS lists the methods and allows no other origin', async () => {
    const headers = {
      origin: 'https://elsewhere.example',
      'access-control-request-method': 'POST',
    };
    const response = await app.fastify.inject({ method: 'OPTIONS', url: apiPaths.join, headers });
    expect(response.statusCode).toBe(204);
    expect(
      Object.keys(response.headers).filter((name) => name.startsWith('access-control')),
    ).toEqual([]);
  });

  test.each([
    '/api',
    '/api/',
    '/api/nothing',
    '/api/waitlist/status',
    '/api/%zz',
    '/operator/api/nothing',
  ])('%s answers 404 as JSON, whatever the browser prefers', async (url) => {
    const headers = { accept: 'text/html', 'content-type': 'application/json' };
    for (const method of ['GET', 'POST'] as const) {
      const response = await app.fastify.inject({
        method,
        url,
        headers,
        ...(method === 'POST' && { payload: '{bad' }),
      });
      expect(response.statusCode).toBe(404);
      expectDetail(response.payload);
      expect(response.headers['cache-control']).toBe('no-store');
    }
  });

  test.each(['/nothing', '/nothing/%E0', '/invite/%E0/%', `/${'a'.repeat(400)}`])(
    'a browser that asks for %s gets a page',
    async (url) => {
      const response = await app.fastify.inject({
        method: 'GET',
        url,
        headers: { accept: 'text/html' },
      });
      expect(response.statusCode).toBe(404);
      expect(response.headers['content-type']).toContain('text/html');
      expect(response.headers['content-security-policy']).toContain("default-src 'none'");
      expect(response.payload).toContain('Nobody');
      const called = await app.fastify.inject({ method: 'GET', url });
      expect(called.statusCode).toBe(404);
      expectDetail(called.payload);
    },
  );

  test.each([
    ['/invite/%E0%A4%A', 200, 'Home'],
    ['/invite/%E0%A4%A?plain', 200, 'Invalid Invite'],
    [`/invite/${'a'.repeat(400)}?plain`, 200, 'Invalid Invite'],
    ['/thank-you/%', 200, 'Loading Ghost Status...'],
    ['/thank-you/%?plain', 404, 'plain-status-not-found'],
    ['/confirm/%C0%AF', 404, 'link-unknown'],
  ])('%s is taken literally by its page', async (url, status, words) => {
    const response = await app.fastify.inject({
      method: 'GET',
      url,
      headers: { accept: 'text/html' },
    });
    expect(response.statusCode).toBe(status);
    expect(response.payload).toContain(words);
  });

  test.each([
    fillPath(apiPaths.verifyReferral, '%E0%A4%A'),
    '/api/waitlist/verify-referral/%E0%A4%A',
    fillPath(apiPaths.verifyReferral, 'a'.repeat(400)),
  ])('%s verifies nothing', async (url) => {
    const response = await app.fastify.inject({ method: 'GET', url });
    expect(response.json()).toEqual({ valid: false, referrer_email: null });
  });
});

test('an internal error reveals nothing', async () => {
  const broken = await openTestApp('postgres');
  await broken.database.close();
  const response = await broken.fastify.inject({ method: 'GET', url: apiPaths.stats });
  expect(response.statusCode).toBe(500);
  expect(response.json()).toEqual({
    detail: 'Something went wrong on our side. Please try again later.',
  });
  const ready = await broken.fastify.inject({ method: 'GET', url: '/readyz' });
  expect(ready.statusCode).toBe(503);
  expect(ready.headers['retry-after']).toBe('5');
  expect((await broken.fastify.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200);
  await broken.close();
});
