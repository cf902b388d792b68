/** docs/behaviour.md 2: the pages of visitors as HTML, before any script runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ghostSvg } from '../../brand/art/ghost.ts';
import { maskSvg } from '../../brand/art/mask.ts';
import { brand } from '../../brand/brand.ts';
import { consolePaths } from '../../contract/operator/paths.ts';
import {
  apiPaths,
  fillPath,
  landingWithReferral,
  PLAIN_QUERY,
  pagePaths,
} from '../../contract/paths.ts';
import { UNKNOWN_CODE } from '../../contract/plain-invite.ts';
import { buildSite, DIST } from '../../scripts/build.ts';
import { GUESSES_PER_IP } from '../../server/guard/limits/limit-rules.ts';
import { renderStructuredData } from '../../server/site/pages/head.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { provideApp } from './provide-app.ts';
import { CONSOLE, CONSOLE_SCRIPT_PATH, MEDIA_PATH, SCRIPT, SCRIPT_PATH } from './test-site.ts';

const app = provideApp('postgres', { isLimiting: true });
const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  app.fastify.inject({ method: 'GET', url, remoteAddress, headers });
const read = async (url: string) => (await get(url, { accept: 'text/html' })).payload;
const post = (
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
const invitePath = (code: string) => fillPath(pagePaths.invite, code);
const statusPath = (id: string) => fillPath(pagePaths.status, id);

describe('heads', () => {
  const DATA_BLOCK = /<script type="application\/ld\+json">(.*?)<\/script>/;
  const CANONICAL = '<link rel="canonical" href="https://line.example.com/">';

  test('the landing page has a description, canonical URL, preview and linked data', async () => {
    const landing = await read('/');
    for (const part of [
      CANONICAL,
      `<title>${brand.copy.landingTitle}</title>`,
      `<meta name="description" content="${brand.copy.landingDescription}">`,
      '<meta name="robots" content="max-image-preview:large">',
    ])
      expect(landing).toContain(part);
    expect(await read(landingWithReferral('ABCDEFGHJK'))).toContain(CANONICAL);
    const url = 'https://line.example.com/';
    const { name, language: inLanguage } = brand;
    expect(JSON.parse(DATA_BLOCK.exec(landing)?.[1] ?? '')).toMatchObject({
      '@context': 'https://schema.org',
      '@graph': [
        { '@type': 'WebSite', url, name, inLanguage },
        { '@type': 'Organization', name, logo: `${url}apple-touch-icon.png` },
      ],
    });
  });

  test('no text of a brand can end the data block', () => {
    const name = '</script><script>alert(1)</script>';
    const block = renderStructuredData({ ...brand, name }, 'https://a.example');
    expect(block.match(/<\/script>/g)).toHaveLength(1);
    expect(JSON.parse(DATA_BLOCK.exec(block)?.[1] ?? '')['@graph'][1].name).toBe(name);
  });

  test('personal and missing pages are not indexed', async () => {
    for (const url of [statusPath('some-id'), invitePath('ABCDEFGHJK'), '/elsewhere']) {
      const page = await read(url);
      expect(page).toContain('<meta name="robots" content="noindex">');
      expect(page).not.toContain('rel="canonical"');
      expect(page).not.toMatch(DATA_BLOCK);
    }
    for (const url of [statusPath('some-id'), invitePath('ABCDEFGHJK')])
      expect(await read(url)).toContain('property="og:image" content="https://line.example.com/');
  });

  test('the HTML of a page names its first API calls', async () => {
    const callsOf = async (url: string) =>
      [...(await read(url)).matchAll(/<meta name="call" content="([^"]+)">/g)].map(
        ([, call]) => call,
      );
    const status = fillPath(apiPaths.status, 'some-id');
    expect(await callsOf(statusPath('some-id'))).toEqual([status, apiPaths.stats]);
    expect(await callsOf(invitePath('ABC'))).toEqual([fillPath(apiPaths.verifyReferral, 'ABC')]);
  });

  test('the HTML has no member data, and an id only in the URLs of its own calls', async () => {
    const { id, referral_code: code } = await app.join('secret@example.com');
    const status = await read(statusPath(id));
    for (const secret of ['secret', code]) expect(status).not.toContain(secret);
    expect(status.split(id)).toHaveLength(2);
    expect(await read(invitePath(code))).not.toContain('secret');
  });

  test('text from the URL cannot become markup', async () => {
    const hostile = '"><script>alert(1)</script>';
    for (const url of [statusPath(hostile), invitePath(hostile), landingWithReferral(hostile)])
      expect(await read(url)).not.toContain('<script>alert');
  });

  test('an invite has the ghost of its member, or the unlit mask', async () => {
    const { referral_code: code } = await app.join('drawn@example.com');
    // The first page of a test does not wait for the thread to start.
    await expect.poll(() => read(invitePath(code.toLowerCase()))).toContain(ghostSvg(code));
    for (const wrong of ['nonsense!', 'ABCDEFGHJK'])
      expect(await read(invitePath(wrong))).toContain(maskSvg());
  });
});

describe('forms without script', () => {
  test('a join leads to the status page, with the referral of the URL or the field', async () => {
    const { id, referral_code: code } = await app.join('host@example.com');
    const invited = await post(invitePath(code), { email: 'guest@example.com' });
    expect(invited.statusCode).toBe(303);
    expect(invited.headers.location).toMatch(/^\/thank-you\/[0-9a-f-]{36}#joined$/);
    await post('/', { email: 'guest2@example.com', referred_by: code });
    await post(landingWithReferral(code), { email: 'guest3@example.com' });
    expect((await app.statusOf(id)).referral_count).toBe(3);
  });

  test('a refused address stays in the field, escaped, with the message', async () => {
    await app.join('known@example.com');
    const script = '"><script>';
    const escaped = 'value="&quot;&gt;&lt;script&gt;"';
    for (const [fields, status, ...parts] of [
      [{ email: ' ' }, 422, '<p>Please enter your email to join the waitlist.</p>'],
      [{ email: script }, 422, escaped],
      [
        { email: 'known@example.com', referred_by: 'ABC' },
        409,
        'This email is already on the waitlist.',
        'name="email" value="known@example.com"',
        'name="referred_by" value="ABC"',
      ],
    ] as const) {
      const { statusCode, payload } = await post('/', fields);
      expect(statusCode).toBe(status);
      for (const part of parts) expect(payload).toContain(part);
    }
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
  ])('a post with %j answers %i', async (headers: Record<string, string>, status) => {
    expect((await post('/', { email: '' }, headers)).statusCode).toBe(status);
  });
});

describe('bytes and caches', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('pages come as %s to clients that accept it', async (encoding, decompress) => {
    for (const url of ['/', statusPath('x')]) {
      const { headers, rawPayload } = await get(url, {
        'accept-encoding': `${encoding}, identity;q=0.5`,
      });
      expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' });
      expect(decompress(rawPayload).toString()).toBe(await read(url));
    }
    const { headers } = await get('/', { 'accept-encoding': `${encoding};q=0` });
    expect(headers['content-encoding']).toBeUndefined();
  });

  test('an unchanged landing page is not sent again', async () => {
    const { etag } = (await get('/')).headers;
    expect((await get('/', { 'if-none-match': String(etag) })).statusCode).toBe(304);
    expect((await get('/', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('hashed files are served in their precompressed form', async () => {
    for (const url of [SCRIPT_PATH, CONSOLE_SCRIPT_PATH]) {
      const { headers, rawPayload } = await get(url, { 'accept-encoding': 'br' });
      expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
      expect(brotliDecompressSync(rawPayload).toString()).toBe(SCRIPT);
      expect(await read(url)).toBe(SCRIPT);
    }
  });

  test('media is served in ranges', async () => {
    const { statusCode, payload, headers } = await get(MEDIA_PATH, { range: 'bytes=2-4' });
    expect([statusCode, payload, headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await get(MEDIA_PATH, { range: 'bytes=20-' })).statusCode).toBe(416);
  });

  test.each([
    '/assets/',
    '/assets/%2e%2e/%2e%2e/pages/landing.html',
    '/pages/landing.html',
    `${SCRIPT_PATH}.br`,
    `${consolePaths.assets}nothing.js`,
  ])('%s is no file of the site', async (url) => {
    const { statusCode, headers } = await get(url, { accept: 'text/html' });
    expect(statusCode).toBe(404);
    if (url.startsWith('/console')) expect(headers['content-type']).toContain('application/json');
  });

  test.each([consolePaths.home, `${consolePaths.home}/`, `${consolePaths.home}/any/screen?q=a`])(
    '%s is the document of the console',
    async (url) => expect(await read(url)).toBe(CONSOLE),
  );
});

describe('the built site', () => {
  test('contains neither tier thresholds nor stock', async () => {
    await buildSite({ outDir: DIST });
    const scripts = readdirSync(join(DIST, 'site/assets')).filter((file) => file.endsWith('.js'));
    const texts = scripts.map((file) => readFileSync(join(DIST, 'site/assets', file), 'utf8'));
    expect(texts.join('')).toContain(brand.tiers[0]?.reward);
    for (const text of texts) expect(text).not.toMatch(/requiredReferrals|\bstock:/);
  });

  test('names a theme colour, a manifest and icons, and the files exist', async () => {
    await buildSite({ outDir: DIST });
    const html = readFileSync(join(DIST, 'pages/landing.html'), 'utf8');
    const files = readdirSync(join(DIST, 'site'));
    const manifest = JSON.parse(readFileSync(join(DIST, 'site/manifest.webmanifest'), 'utf8'));
    expect(html).toContain(`<html lang="${brand.language}"`);
    expect(html).toContain(`<meta name="theme-color" content="${manifest.theme_color}">`);
    for (const relation of ['manifest', 'apple-touch-icon', 'icon']) {
      const href = new RegExp(`<link rel="${relation}"[^>]* href="/([^"]+)">`).exec(html)?.[1];
      expect(files, relation).toContain(href);
    }
  });
});

describe('links of referrals', () => {
  test.each([statusPath('some-id'), invitePath('AB/C')])(
    '%s with a slash at its end redirects to the page, with the query',
    async (path) => {
      const { statusCode, headers } = await get(`${path}/?utm_source=feed`);
      expect([statusCode, headers.location]).toEqual([308, `${path}?utm_source=feed`]);
    },
  );

  test('the landing page has the code in its form and its way home', async () => {
    const path = landingWithReferral('ABC');
    for (const payload of [await read(path), (await post(path, { email: '' })).payload]) {
      expect(payload).toContain('name="referred_by" value="ABC"');
      expect(payload).toContain(`<a href="${path}">`);
    }
    expect(await read('/')).toContain('name="referred_by" value=""');
    expect(await read('/')).toContain('<a href="/">');
    expect(await read(invitePath('ABC'))).toContain(`<a href="${path}">`);
  });

  test("the landing page promises a better position for a member's code alone", async () => {
    const { referral_code: code } = await app.join('promising@example.com');
    const valid = landingWithReferral(` ${code.toLowerCase()}`);
    const readBoth = async (url: string) => [
      await read(url),
      (await post(url, { email: '' })).payload,
    ];
    // A page waits a second for the answer, and promises nothing without it.
    for (const nth of [0, 1])
      await expect.poll(async () => (await readBoth(valid))[nth]).toContain('Referral Active');
    for (const wrong of ['ABCDEFGHJK', 'nonsense!'].map(landingWithReferral))
      for (const payload of await readBoth(wrong)) {
        expect(payload).not.toContain('Referral Active');
        expect(payload).toContain(UNKNOWN_CODE);
      }
    for (const payload of [...(await readBoth('/')), await read(valid)])
      expect(payload).not.toContain(UNKNOWN_CODE);
  });

  test('a link with what chats add to it leads to the invite, and its code joins', async () => {
    const { referral_code: code, id } = await app.join('pasted@example.com');
    const invite = invitePath(code);
    for (const [url, location] of [
      [`${invite})?utm_source=feed`, `${invite}?utm_source=feed`],
      [`${invite}%E2%80`, invite],
      [`//invite/${code}`, invite],
      [`/?utm_source=feed&amp;ref=${code}`, landingWithReferral(code)],
    ] as const) {
      const { statusCode, headers } = await get(url);
      expect([url, statusCode, headers.location]).toEqual([url, 308, location]);
    }
    const long = `see https://line.example.com${invite}. ${'a word '.repeat(500)}`;
    expect(await read(`/?ref=${encodeURIComponent(long)}`)).toContain('Referral Active');
    expect(await read(`/?ref=${code}&ref=${code}`)).toContain('Referral Active');
    const verified = await get(fillPath(apiPaths.verifyReferral, long));
    expect(verified.json()).toEqual({ valid: true, referrer_email: 'pasted@example.com' });
    await app.join('friend-of-pasted@example.com', long);
    expect((await app.statusOf(id)).referral_count).toBe(1);
    // Calls of programs stay what they are.
    expect((await get(`/api${invite}.`)).statusCode).toBe(404);
  });

  test('a pasted text with a wrong code counts as a guess like the code itself', async () => {
    const codes: number[] = [];
    for (let nth = 0; nth <= GUESSES_PER_IP.max; nth += 1) {
      const text = `see https://line.example.com/invite/${2_000_000_000 + nth}.`;
      const answer = await get(fillPath(apiPaths.verifyReferral, text), {}, '192.0.2.61');
      codes.push(answer.statusCode);
    }
    expect(codes.indexOf(429)).toBe(GUESSES_PER_IP.max);
  });
});

describe('the invite page without script', () => {
  const plain = (code: string) => `${invitePath(code)}?${PLAIN_QUERY}`;

  test('has the inviter, and no other page has them', async () => {
    const { referral_code: code } = await app.join('inviting@example.com');
    const payload = await read(plain(code.toLowerCase()));
    expect(payload).toContain('inviter=inviting@example.com<');
    expect(payload).toContain(`invite-code=${code}<`);
    const page = await read(`${invitePath(code)}?via=a&utm_source=b`);
    expect(page).toContain(
      `http-equiv="refresh" content="0;url=?via=a&amp;utm_source=b&amp;${PLAIN_QUERY}">`,
    );
    expect(page).not.toContain('inviting@');
    const masking = await app.openAnother({ inviterEmail: 'masked' });
    const masked = await masking.fastify.inject(plain(code));
    await masking.close();
    expect(masked.payload).toContain('inviter=in•••@example.com<');
  });

  test('keeps a refused address beside the inviter, with the reason', async () => {
    const { referral_code: code } = await app.join('refusing@example.com');
    const { statusCode, payload } = await post(plain(code), { email: '"><script>' });
    expect(statusCode).toBe(422);
    expect(payload).toContain('inviter=refusing@example.com<');
    expect(payload).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(payload).not.toContain('<p></p>');
  });

  test('says that a wrong code is invalid, and after too many that it cannot tell', async () => {
    const ask = () => get(plain('ZZZZZZZZZZ'), {}, '192.0.2.60');
    expect((await ask()).payload).toContain('Invalid Invite');
    let last = await ask();
    for (let count = 0; count < 100 && last.statusCode === 200; count += 1) last = await ask();
    expect(last.statusCode).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expect(last.payload).toContain('Check failed');
    expect(await read(plain('nonsense!'))).toContain('Invalid Invite');
  });
});

describe('the status page without script', () => {
  const pathOf = (id: string) => `${statusPath(id)}?${PLAIN_QUERY}`;
  const plain = (id: string) => read(pathOf(id));

  test('is where the status page leads without script', async () => {
    expect(await read(statusPath('some-id'))).toContain(
      `<noscript><meta http-equiv="refresh" content="0;url=?${PLAIN_QUERY}"></noscript>`,
    );
  });

  test('tells position, invite link, referrals, tier and rewards of the moment', async () => {
    const { id, referral_code: code } = await app.join('plain@example.com');
    for (const name of ['one', 'two', 'three']) await app.join(`plain-${name}@example.com`, code);
    const { position, rewards_unlocked, next_tier } = await app.statusOf(id);
    const payload = await plain(id);
    for (const text of [
      `position=${position}<`,
      `digits=${String(position).length + 1}<`,
      `invite-link=https://line.example.com${invitePath(code)}<`,
      `code=${code}<`,
      'referrals=3<',
      'referral-noun=referrals<',
      'tier=1<',
      `next-reward=Next reward: ${next_tier.reward}<`,
      `unlocked=Unlocked: ${rewards_unlocked.join(', ')}<`,
    ])
      expect(payload).toContain(text);
    expect(payload).not.toContain('plain@example.com');
    // The first page of a test does not wait for the drawing thread to start.
    await expect.poll(() => plain(id)).toContain(ghostSvg(code));
  });

  test('asks who invited the member, until they have said so', async () => {
    const { id } = await app.join('asked@example.com');
    const { referral_code: code } = await app.join('asking@example.com');
    const say = (invite: string, headers?: Record<string, string>) =>
      post(pathOf(id), { invite }, headers);
    expect(await plain(id)).toContain('inviter-form=open<');
    const refused = await say('"012345678>');
    expect(refused.statusCode).toBe(422);
    expect(refused.headers['cache-control']).toBe('no-store, no-transform');
    expect(refused.payload).toContain('inviter-message=This is not an invite link');
    expect(refused.payload).toContain('inviter-value=&quot;012345678&gt;<');
    expect((await say(code, { origin: 'https://other.example' })).statusCode).toBe(403);
    const given = await say(code);
    expect([given.statusCode, given.headers.location]).toEqual([303, pathOf(id)]);
    expect(await plain(id)).toContain('inviter-form=<');
  });

  test('says how a drop stands for its member, once its line is frozen', async () => {
    await app.join('first@example.com');
    const { id } = await app.join('drop@example.com');
    expect(await plain(id)).toContain('drop-number=<');
    await confirmEverybody(app.database);
    await app.change('freeze-drop', { first: 1 });
    const payload = await plain(id);
    expect(payload).toContain('drop-number=1<');
    expect(payload).toContain('drop-text=Where you stand in this drop is on this page');
  });

  test.each(['some-id', '3f0f5a52-2a52-4f0e-9d3e-6f5f3b1d2c11', '"><script>'])(
    'says that there is no member %s',
    async (id) => {
      const { statusCode, payload } = await get(pathOf(id));
      expect(statusCode).toBe(404);
      expect(payload).toContain('<main id="plain-status-not-found">');
      expect(payload).not.toContain('<script>');
    },
  );
});
