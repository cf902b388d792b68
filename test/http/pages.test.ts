/** docs/behaviour.md 2: the three pages as HTML, before any script runs. */
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ghostSvg } from '../../brand/art/ghost.ts';
import { maskSvg } from '../../brand/art/mask.ts';
import { apiPaths, fillPath, landingWithReferral, pagePaths } from '../../contract/paths.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import { INLINE_STYLE, MEDIA_PATH, SCRIPT, SCRIPT_PATH } from './test-site.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres');
});
afterAll(() => app.remove());

const get = (url: string, headers: Record<string, string> = {}) =>
  app.fastify.inject({ method: 'GET', url, headers });
const postForm = (
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
) =>
  app.fastify.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

describe('heads', () => {
  test('the landing page is indexed, personal pages are not', async () => {
    const landing = await get('/');
    expect(landing.payload).toContain('<link rel="canonical" href="https://line.example.com/">');
    expect(landing.headers['x-robots-tag']).toBeUndefined();
    for (const url of [
      fillPath(pagePaths.status, 'some-id'),
      fillPath(pagePaths.invite, 'ABCDEFGHJK'),
    ]) {
      const page = await get(url);
      expect(page.payload).toContain('<meta name="robots" content="noindex">');
      expect(page.headers).toMatchObject({
        'x-robots-tag': 'noindex',
        'cache-control': 'private, no-cache, no-transform',
      });
      expect(page.payload).toContain('property="og:image" content="https://line.example.com/');
    }
  });

  test('the HTML of a page names its first API calls', async () => {
    const status = await get(fillPath(pagePaths.status, 'some-id'));
    const calls = [...status.payload.matchAll(/<meta name="call" content="([^"]+)">/g)];
    expect(calls.map(([, call]) => call)).toEqual([
      fillPath(apiPaths.status, 'some-id'),
      apiPaths.stats,
    ]);
    expect((await get(fillPath(pagePaths.invite, 'ABC'))).payload).toContain(
      `<meta name="call" content="${fillPath(apiPaths.verifyReferral, 'ABC')}">`,
    );
  });

  test('the HTML has no member data, and an id only in the URLs of its own calls', async () => {
    const { id, referral_code: code } = await app.join('secret@example.com');
    const status = await get(fillPath(pagePaths.status, id));
    expect(status.payload).not.toContain('secret');
    expect(status.payload).not.toContain(code);
    expect(status.payload.split(id)).toHaveLength(2);
    expect((await get(fillPath(pagePaths.invite, code))).payload).not.toContain('secret');
  });

  test('text from the URL cannot become markup', async () => {
    const hostile = '"><script>alert(1)</script>';
    for (const url of [
      fillPath(pagePaths.status, hostile),
      fillPath(pagePaths.invite, hostile),
      landingWithReferral(hostile),
    ]) {
      expect((await get(url)).payload).not.toContain('<script>alert');
    }
  });
});

describe('the ghost of an invite', () => {
  test("is drawn from a member's code, in any letter case", async () => {
    const { referral_code: code } = await app.join('drawn@example.com');
    const page = async () => (await get(fillPath(pagePaths.invite, code.toLowerCase()))).payload;
    // The first page of a test does not wait for the thread to start.
    await expect.poll(page).toContain(ghostSvg(code));
  });

  test.each(['nonsense!', 'ABCDEFGHJK'])(
    'is the unlit mask for %s, which no member has',
    async (code) => {
      expect((await get(fillPath(pagePaths.invite, code))).payload).toContain(maskSvg());
    },
  );
});

describe('forms without script', () => {
  test('a join leads to the status page, with the referral of the URL or the field', async () => {
    const inviter = await app.join('host@example.com');
    const invited = await postForm(fillPath(pagePaths.invite, inviter.referral_code), {
      email: 'guest@example.com',
    });
    expect(invited.statusCode).toBe(303);
    expect(invited.headers.location).toMatch(/^\/thank-you\/[0-9a-f-]{36}#joined$/);
    await postForm('/', { email: 'guest2@example.com', referred_by: inviter.referral_code });
    await postForm(landingWithReferral(inviter.referral_code), {
      email: 'guest3@example.com',
    });
    expect((await get(fillPath(apiPaths.status, inviter.id))).json().referral_count).toBe(3);
  });

  test('without an e-mail address the page shows the message of docs/behaviour.md 5', async () => {
    const response = await postForm('/', { email: ' ' });
    expect(response.statusCode).toBe(422);
    expect(response.payload).toContain('<p>Please enter your email to join the waitlist.</p>');
  });

  test('a known or invalid address stays in the field, escaped, with the message', async () => {
    await app.join('known@example.com');
    const known = await postForm('/', { email: 'known@example.com', referred_by: 'ABC' });
    expect(known.statusCode).toBe(409);
    expect(known.payload).toContain('This email is already on the waitlist.');
    expect(known.payload).toContain('name="email" value="known@example.com"');
    expect(known.payload).toContain('name="referred_by" value="ABC"');
    const wrong = await postForm('/', { email: '"><script>' });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.payload).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(wrong.headers['cache-control']).toBe('no-store, no-transform');
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://elsewhere.example' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 422],
    [{ 'sec-fetch-site': 'none' }, 422],
    [{ origin: 'https://line.example.com' }, 422],
    // Plain HTTP on another host name, or a browser older than Sec-Fetch-Site.
    [{ origin: 'http://192.168.1.9:3000', host: '192.168.1.9:3000' }, 422],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://elsewhere.example' }, 403],
    [{}, 403],
  ])('a post with %j answers %i', async (headers, status) => {
    expect((await postForm('/', { email: '' }, headers as Record<string, string>)).statusCode).toBe(
      status,
    );
  });
});

test('pages with a join form, after a refusal too, let browsers name the origin', async () => {
  const pages = [
    await get('/'),
    await get(landingWithReferral('ABC')),
    await get(fillPath(pagePaths.invite, 'ABC')),
    await postForm('/', { email: '' }),
    await postForm(fillPath(pagePaths.invite, 'ABC'), { email: '' }),
  ];
  for (const { headers } of pages) expect(headers['referrer-policy']).toBe('same-origin');
  expect((await get(fillPath(pagePaths.status, 'x'))).headers['referrer-policy']).toBe(
    'no-referrer',
  );
});

describe('bytes and caches', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('pages come as %s to clients that accept it', async (encoding, decompress) => {
    for (const url of ['/', fillPath(pagePaths.status, 'x')]) {
      const response = await get(url, { 'accept-encoding': `${encoding}, identity;q=0.5` });
      expect(response.headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'accept-encoding',
      });
      expect(decompress(response.rawPayload).toString()).toBe((await get(url)).payload);
    }
    expect(
      (await get('/', { 'accept-encoding': `${encoding};q=0` })).headers['content-encoding'],
    ).toBeUndefined();
  });

  test('an unchanged landing page is not sent again', async () => {
    const { etag } = (await get('/')).headers;
    const again = await get('/', { 'if-none-match': String(etag) });
    expect([again.statusCode, again.headers['cache-control']]).toEqual([
      304,
      'public, no-cache, no-transform',
    ]);
    expect((await get('/', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('hashed files are immutable and served in their precompressed form', async () => {
    const response = await get(SCRIPT_PATH, { 'accept-encoding': 'br' });
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'br',
      vary: 'accept-encoding',
    });
    expect(brotliDecompressSync(response.rawPayload).toString()).toBe(SCRIPT);
    expect((await get(SCRIPT_PATH)).payload).toBe(SCRIPT);
  });

  test('media is served in ranges and revalidated', async () => {
    const part = await get(MEDIA_PATH, { range: 'bytes=2-4' });
    expect(part.statusCode).toBe(206);
    expect(part.payload).toBe('234');
    expect(part.headers).toMatchObject({
      'content-range': 'bytes 2-4/10',
      'cache-control': 'public, no-cache',
    });
    expect((await get(MEDIA_PATH, { range: 'bytes=20-' })).statusCode).toBe(416);
  });

  test.each([
    '/assets/',
    '/assets/%2e%2e/%2e%2e/pages/landing.html',
    '/pages/landing.html',
    `${SCRIPT_PATH}.br`,
  ])('%s is no file of the site', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });
});

describe('security headers', () => {
  test('are on every response, and allow only known inline styles', async () => {
    const hash = createHash('sha256').update(INLINE_STYLE).digest('base64');
    for (const url of [
      '/',
      '/nothing',
      '/api/waitlist/stats',
      '/api/%zz',
      '/operator/api/counts',
      SCRIPT_PATH,
    ]) {
      const { headers } = await get(url);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain(`'sha256-${hash}'`);
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'referrer-policy': url === '/' ? 'same-origin' : 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': 'max-age=63072000',
      });
      expect(headers['permissions-policy']).toContain('camera=()');
      expect(headers.server ?? headers['x-powered-by']).toBeUndefined();
    }
  });

  test('HSTS is sent by an HTTPS site only', async () => {
    const plain = await app.openAnother({ publicUrl: 'http://line.example.com' });
    const { headers } = await plain.fastify.inject({ method: 'GET', url: '/' });
    await plain.close();
    expect(headers['strict-transport-security']).toBeUndefined();
  });
});
