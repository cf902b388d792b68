/** Referral links and invites as HTML: what the pages say of a code before any script runs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  apiPaths,
  fillPath,
  landingWithReferral,
  PLAIN_QUERY,
  pagePaths,
} from '../../contract/paths.ts';
import { UNKNOWN_CODE } from '../../contract/plain-invite.ts';
import { GUESSES_PER_IP } from '../../server/guard/limits/limit-rules.ts';
import { openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres', { isLimiting: true });
});
afterAll(() => app.remove());

const get = (url: string, remoteAddress = '192.0.2.1') =>
  app.fastify.inject({ method: 'GET', url, remoteAddress });
const postForm = (url: string, fields: Record<string, string>) =>
  app.fastify.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
  });

test.each([fillPath(pagePaths.status, 'some-id'), fillPath(pagePaths.invite, 'AB/C')])(
  '%s with a slash at its end redirects to the page, with the query',
  async (path) => {
    const { statusCode, headers } = await get(`${path}/?utm_source=feed`);
    expect([statusCode, headers.location]).toEqual([308, `${path}?utm_source=feed`]);
  },
);

test('the landing page of a referral link has the code in its form and its way home', async () => {
  const path = landingWithReferral('ABC');
  for (const { payload } of [await get(path), await postForm(path, { email: '' })]) {
    expect(payload).toContain('name="referred_by" value="ABC"');
    expect(payload).toContain(`<a href="${path}">`);
  }
  expect((await get('/')).payload).toContain('name="referred_by" value=""');
  expect((await get('/')).payload).toContain('<a href="/">');
  expect((await get(fillPath(pagePaths.invite, 'ABC'))).payload).toContain(`<a href="${path}">`);
});

test("the landing page promises a better position for a member's code alone", async () => {
  const { referral_code: code } = await app.join('promising@example.com');
  const valid = landingWithReferral(` ${code.toLowerCase()}`);
  // A page waits a second for the answer, and promises nothing without it.
  for (const ask of [() => get(valid), () => postForm(valid, { email: '' })])
    await expect.poll(async () => (await ask()).payload).toContain('Referral Active');
  for (const wrong of ['ABCDEFGHJK', 'nonsense!'].map(landingWithReferral))
    for (const { payload } of [await get(wrong), await postForm(wrong, { email: '' })]) {
      expect(payload).not.toContain('Referral Active');
      expect(payload).toContain(UNKNOWN_CODE);
    }
  for (const ask of [() => get('/'), () => get(valid), () => postForm('/', { email: '' })])
    expect((await ask()).payload).not.toContain(UNKNOWN_CODE);
});

test('a link with what chats add to it leads to the invite, and its code joins', async () => {
  const { referral_code: code, id } = await app.join('pasted@example.com');
  const invite = fillPath(pagePaths.invite, code);
  for (const [url, location] of [
    [`${invite}.`, invite],
    [`${invite})?utm_source=feed`, `${invite}?utm_source=feed`],
    [`${invite}%E2%80%9D`, invite],
    [`${invite}%E2%80`, invite],
    [`${invite}&utm_source=feed`, invite],
    [`${invite}${'%20word'.repeat(1_500)}`, invite],
    [`/INVITE/${code}`, invite],
    [`//invite/${code}`, invite],
    [`/invite/https://line.example.com${invite}`, invite],
    [`/&ref=${code}`, invite],
    [`/?utm_source=feed&amp;ref=${code}`, landingWithReferral(code)],
    [`/${code}`, invite],
    [`/r/${code}`, invite],
    [`${pagePaths.landing}?code=${code}`, landingWithReferral(code)],
    [`/?ref=3D${code}`, landingWithReferral(code)],
    [`/?ref=&quot;${code}&quot;`, landingWithReferral(code)],
    [fillPath(pagePaths.invite, `=3D${code}`), invite],
    [fillPath(pagePaths.invite, `${code}Join me`), invite],
  ] as const) {
    const { statusCode, headers } = await get(url);
    expect([url, statusCode, headers.location]).toEqual([url, 308, location]);
  }
  const [long] = [`see https://line.example.com${invite}. ${'a word '.repeat(500)}`];
  for (const ref of [`${code}.`, `${code}/`, `https://line.example.com${invite}`, long]) {
    expect((await get(`/?ref=${encodeURIComponent(ref)}`)).payload).toContain('Referral Active');
    const verified = await get(fillPath(apiPaths.verifyReferral, ref));
    expect(verified.json()).toEqual({ valid: true, referrer_email: 'pasted@example.com' });
  }
  expect((await get(`/?ref=${code}&ref=${code}`)).payload).toContain('Referral Active');
  await app.join('friend-of-pasted@example.com', long);
  const status = await get(fillPath(apiPaths.status, id));
  expect(status.json().referral_count).toBe(1);
  // Calls of programs stay what they are.
  expect((await get(`/api${invite}.`)).statusCode).toBe(404);
});

test('a pasted text with a wrong code counts as a guess like the code itself', async () => {
  const guess = (nth: number) => {
    const text = `see https://line.example.com/invite/${2_000_000_000 + nth}.`;
    return get(fillPath(apiPaths.verifyReferral, text), '192.0.2.61');
  };
  const codes: number[] = [];
  for (let nth = 0; nth <= GUESSES_PER_IP.max; nth += 1) codes.push((await guess(nth)).statusCode);
  expect(codes.indexOf(429)).toBe(GUESSES_PER_IP.max);
});

describe('the invite page without script', () => {
  const plain = (code: string) => `${fillPath(pagePaths.invite, code)}?${PLAIN_QUERY}`;

  test('has the inviter, is neither cached nor indexed, and no other page has them', async () => {
    const { referral_code: code } = await app.join('inviting@example.com');
    const { payload, headers } = await get(plain(code.toLowerCase()));
    expect(payload).toContain('inviter=inviting@example.com<');
    expect(payload).toContain(`invite-code=${code}<`);
    expect(headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'same-origin',
    });
    const page = await get(`${fillPath(pagePaths.invite, code)}?via=a&utm_source=b`);
    expect(page.payload).toContain(
      `http-equiv="refresh" content="0;url=?via=a&amp;utm_source=b&amp;${PLAIN_QUERY}">`,
    );
    expect(page.payload).not.toContain('inviting@');
  });

  test('masks the address of the inviter where verify-referral does', async () => {
    const { referral_code: code } = await app.join('masked-one@example.com');
    const masking = await app.openAnother({ inviterEmail: 'masked' });
    const { payload } = await masking.fastify.inject({ method: 'GET', url: plain(code) });
    await masking.close();
    expect(payload).toContain('inviter=ma•••@example.com<');
  });

  test('keeps a refused address beside the inviter, with the reason', async () => {
    const { referral_code: code } = await app.join('refusing@example.com');
    const { statusCode, payload } = await postForm(plain(code), { email: '"><script>' });
    expect(statusCode).toBe(422);
    expect(payload).toContain('inviter=refusing@example.com<');
    expect(payload).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(payload).not.toContain('<p></p>');
  });

  test('says that a wrong code is invalid, and after too many that it cannot tell', async () => {
    const ask = () => get(plain('ZZZZZZZZZZ'), '192.0.2.60');
    expect((await ask()).payload).toContain('Invalid Invite');
    let last = await ask();
    for (let count = 0; count < 100 && last.statusCode === 200; count += 1) last = await ask();
    expect(last.statusCode).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    expect(last.payload).toContain('Check failed');
    expect((await get(plain('nonsense!'))).payload).toContain('Invalid Invite');
  });
});
