/** The status page without script, as HTML. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ghostSvg } from '../../brand/art/ghost.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath, PLAIN_QUERY, pagePaths } from '../../contract/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp('postgres');
});
afterAll(() => app.remove());
const get = (url: string) => app.fastify.inject({ method: 'GET', url });

describe('the status page without script', () => {
  const plain = (memberId: string) => get(`${fillPath(pagePaths.status, memberId)}?${PLAIN_QUERY}`);

  test('is where the status page leads without script', async () => {
    expect((await get(fillPath(pagePaths.status, 'some-id'))).payload).toContain(
      `<noscript><meta http-equiv="refresh" content="0;url=?${PLAIN_QUERY}"></noscript>`,
    );
  });

  test('tells position, invite link, referrals, tier and rewards of the moment', async () => {
    const { id, referral_code: code } = await app.join('plain@example.com');
    for (const name of ['one', 'two', 'three']) await app.join(`plain-${name}@example.com`, code);
    const { position, rewards_unlocked, next_tier } = (
      await get(fillPath(apiPaths.status, id))
    ).json();
    const page = await plain(id);
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store, no-transform',
      'x-robots-tag': 'noindex',
    });
    for (const text of [
      `position=${position}<`,
      `digits=${String(position).length + 1}<`,
      `invite-link=https://line.example.com${fillPath(pagePaths.invite, code)}<`,
      `code=${code}<`,
      'referrals=3<',
      'referral-noun=referrals<',
      'tier=1<',
      `next-reward=Next reward: ${next_tier.reward}<`,
      `unlocked=Unlocked: ${rewards_unlocked.join(', ')}<`,
    ])
      expect(page.payload).toContain(text);
    expect(page.payload).not.toContain('plain@example.com');
    // The first page of a test does not wait for the drawing thread to start.
    await expect.poll(async () => (await plain(id)).payload).toContain(ghostSvg(code));
  });

  test('asks who invited the member, until they have said so', async () => {
    const { id } = await app.join('asked@example.com');
    const { referral_code: code } = await app.join('asking@example.com');
    const post = (invite: string, origin = 'https://line.example.com') =>
      app.fastify.inject({
        method: 'POST',
        url: `${fillPath(pagePaths.status, id)}?${PLAIN_QUERY}`,
        payload: new URLSearchParams({ invite }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      });
    expect((await plain(id)).payload).toContain('inviter-form=open<');
    const refused = await post('"012345678>');
    expect(refused.statusCode).toBe(422);
    expect(refused.headers['cache-control']).toBe('no-store, no-transform');
    expect(refused.payload).toContain('inviter-message=This is not an invite link');
    expect(refused.payload).toContain('inviter-value=&quot;012345678&gt;<');
    expect((await post(code, 'https://other.example')).statusCode).toBe(403);
    const given = await post(code);
    expect([given.statusCode, given.headers.location]).toEqual([
      303,
      `${fillPath(pagePaths.status, id)}?${PLAIN_QUERY}`,
    ]);
    expect((await plain(id)).payload).toContain('inviter-form=<');
  });

  test('says how a drop stands for its member, once its line is frozen', async () => {
    await app.join('first@example.com');
    const { id } = await app.join('drop@example.com');
    expect((await plain(id)).payload).toContain('drop-number=<');
    await confirmEverybody(app.database);
    await app.fastify.inject({
      method: 'POST',
      url: operatorPaths.changes,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
      payload: { kind: 'freeze-drop', input: { first: 1 }, reason: 'launch day' },
    });
    const { payload } = await plain(id);
    expect(payload).toContain('drop-number=1<');
    expect(payload).toContain('drop-text=Where you stand in this drop is on this page');
  });

  test.each(['some-id', '3f0f5a52-2a52-4f0e-9d3e-6f5f3b1d2c11', '"><script>'])(
    'says that there is no member %s',
    async (memberId) => {
      const page = await plain(memberId);
      expect(page.statusCode).toBe(404);
      expect(page.headers).toMatchObject({
        'cache-control': 'no-store, no-transform',
        'x-robots-tag': 'noindex',
      });
      expect(page.payload).toContain('<main id="plain-status-not-found">');
      expect(page.payload).not.toContain('<script>');
    },
  );
});
