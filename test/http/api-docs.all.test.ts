/** The API, described for machines and for people. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres');
});
afterAll(() => app.remove());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.fastify.inject({ method: 'GET', url, headers });

test('the documents of the API are rendered once, and not per request', async () => {
  const json = await get('/api/openapi.json');
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  const render = vi.spyOn(app.fastify as unknown as { swagger(): object }, 'swagger');
  for (const path of ['/api/openapi.json', '/api/docs']) await get(path);
  expect(render).not.toHaveBeenCalled();
  render.mockRestore();
});

test.each(['/api/openapi.json', '/api/docs'])(
  '%s is compressed once, and not sent again to whoever has it',
  async (url) => {
    const plain = await get(url);
    // Proxies change addresses in HTML alone.
    const kept = url === '/api/docs' ? 'public, max-age=300, no-transform' : 'public, max-age=300';
    expect(plain.headers['cache-control']).toBe(kept);
    expect(plain.headers.vary).toBe('accept-encoding');
    for (const encoding of ['br', 'gzip']) {
      const { headers, rawPayload } = await get(url, { 'accept-encoding': encoding });
      expect(headers['content-encoding']).toBe(encoding);
      expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
      const again = { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) };
      expect((await get(url, again)).statusCode).toBe(304);
    }
  },
);

test('the page about the API has each schema once', async () => {
  const schemas = (await get('/api/docs')).payload.match(/<pre.*?<\/pre>/gs) ?? [];
  expect(schemas.length).toBeGreaterThan(20);
  expect(new Set(schemas).size).toBe(schemas.length);
});

test('the API is documented for machines and for people', async () => {
  const document = (await get('/api/openapi.json')).json();
  const site = [
    '/api/waitlist/join',
    '/api/waitlist/confirm',
    '/api/waitlist/status/{memberId}',
    '/api/waitlist/status/{memberId}/inviter',
    '/api/waitlist/status/{memberId}/sizes',
    '/api/waitlist/status/{memberId}/offer',
    '/api/waitlist/status/{memberId}/offer/link',
    '/api/waitlist/status/{memberId}/drop',
    '/api/offer',
    '/api/offer/accept',
    '/api/offer/enter',
    '/api/offer/withdraw',
    '/api/offer/size',
    '/api/offer/decline',
    '/api/drop',
    '/api/drop/{number}/draw',
    '/api/drop/{number}/given',
    '/api/till/{kind}',
    '/api/waitlist/stats',
    '/api/waitlist/faces',
    '/api/waitlist/verify-referral/{code}',
    '/api/waitlist/status/{memberId}/sizes',
    '/api/drop',
    '/api/drop/{number}/draw',
  ];
  const operator = Object.values(operatorPaths).map((path) => path.replace(/:(\w+)/g, '{$1}'));
  expect(new Set(Object.keys(document.paths))).toEqual(new Set([...site, ...operator]));
  expect(document.components.securitySchemes.cookie.description).toContain('`x-unattended`');
  const page = await get('/api/docs');
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.payload).toContain('POST /api/waitlist/join');
});
