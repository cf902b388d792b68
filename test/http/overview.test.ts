/** What the overview counts when people and programs visit, and what it shows to operators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Overview, OverviewHealth } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath, imagePaths, landingWithReferral, pagePaths } from '../../contract/paths.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const authorization = `Bearer ${OPERATOR_TOKEN}`;

describe.each(oneEngine)('the overview over HTTP on the %s engine', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  async function visit(url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') {
    return app.fastify.inject({ method, url, headers: { 'user-agent': CHROME, ...headers } });
  }

  /** By another server, which has counted nothing: all comes from the database. */
  async function ask<T>(path: string): Promise<T> {
    await app.flushCounters();
    const other = await app.openAnother();
    const response = await other.fastify.inject({ url: path, headers: { authorization } });
    await other.close();
    expect(response.statusCode).toBe(200);
    return response.json();
  }

  const overview = () => ask<Overview>(`${operatorPaths.overview}?tz=Europe/Berlin`);

  const step = tellStory('goes through one step after the other');

  step('counts people, by where they came from, and nobody else', async () => {
    const referer = 'https://news.example/story';
    const first = await visit(`${pagePaths.landing}?utm_source=TikTok`, { referer });
    expect(first.headers['set-cookie']).toBeUndefined();
    await visit(fillPath(pagePaths.invite, 'ZZZZZZZZZZ'), {});
    const landing = await visit(pagePaths.landing);
    // None of these is a visit.
    await visit(pagePaths.landing, { 'if-none-match': landing.headers.etag });
    await visit(pagePaths.landing, { 'sec-purpose': 'prefetch' });
    await visit(pagePaths.landing, { 'user-agent': 'Googlebot/2.1' });
    await visit(pagePaths.landing, {}, 'HEAD');
    await visit('/no-such-page');
    const { totals, sources } = await overview();
    expect(totals).toMatchObject({ visits: 3, invite_visits: 1, joins: 0 });
    expect(sources).toEqual([
      expect.objectContaining({ utm_source: '', referring_host: '', visits: 2 }),
      expect.objectContaining({
        utm_source: 'TikTok',
        referring_host: 'news.example',
        visits: 1,
      }),
    ]);
  });

  step('counts members whose link was opened or previewed, each once', async () => {
    const members = [];
    for (const name of ['ann', 'bob', 'cem', 'dan'])
      members.push(await app.join(`${name}@example.com`));
    const [ann, bob, cem] = members.map(({ referral_code }) => referral_code) as [
      string,
      string,
      string,
    ];
    await visit(fillPath(pagePaths.invite, ann));
    await visit(fillPath(pagePaths.invite, ann), { 'user-agent': 'WhatsApp/2.24' });
    await visit(landingWithReferral(bob.toLowerCase()));
    const page = await visit(fillPath(pagePaths.invite, cem), { 'user-agent': 'Slackbot' });
    const card = /og:image" content="https:\/\/line.example.com([^"]+)"/.exec(page.body)?.[1];
    expect((await visit(card ?? '')).statusCode).toBe(200);
    expect((await visit(fillPath(imagePaths.inviteQr, cem))).statusCode).toBe(200);
    const { totals, members: length, uncounted } = await overview();
    expect(totals).toMatchObject({ joins: 4, shared: 3, with_friend: 0 });
    expect({ length, uncounted }).toEqual({ length: 4, uncounted: 0 });
  });

  step('shows what came of invites', async () => {
    const host = await app.join('host@example.com');
    await app.join('guest1@example.com', host.referral_code);
    await app.join('guest2@example.com', host.referral_code);
    const { totals, k_factor, invited_share, first_friend } = await overview();
    expect(totals).toMatchObject({ joins: 7, invited: 2, friends: 2, with_friend: 1, shared: 4 });
    expect(k_factor).toBeCloseTo(2 / 7);
    expect(invited_share).toBeCloseTo(2 / 7);
    expect(first_friend).toMatchObject({ members: 1, quartiles: [0, 0, 0] });
  });

  step('shows what the operator looks after', async () => {
    const health = await ask<OverviewHealth>(operatorPaths.overviewHealth);
    expect(health.notices).toEqual([
      expect.stringContaining('links.contact and links.privacy'),
      expect.stringContaining('facts and sizes in cm'),
    ]);
    expect(health.masks.promised).toBe(100);
    expect(health.masks.sizes.length).toBeGreaterThan(0);
    expect(health.database.engine).toBe(engine);
    expect(health.database.bytes).toBeGreaterThan(1_000_000);
    expect(health.backup).toEqual({ succeeded_at: null, failed_at: null });
    // Kept as files: all of them leave.
    expect(health.mail).toMatchObject({ refused: 0, given_up: 0, bounced: 0 });
    expect(health.guard).toEqual({ limited: 0, proofs_asked: 0, proofs_brought: 0 });
  });

  test.each([
    ['a zone that is none', 'tz=Nowhere', 422],
    ['a bucket that is none', 'bucket=week', 422],
    ['a time that is none', 'from=soon', 422],
  ])('refuses %s in a sentence', async (_what, query, statusCode) => {
    const url = `${operatorPaths.overview}?${query}`;
    const response = await app.fastify.inject({ url, headers: { authorization } });
    expect(response.statusCode).toBe(statusCode);
    expect(response.json().detail).toMatch(/^\S.*\.$/s);
  });

  step('pins a source of the operator, and gives what was forgotten to "other"', async () => {
    const change = (kind: string, source: string) =>
      app.fastify.inject({
        method: 'POST',
        url: operatorPaths.changes,
        headers: { authorization },
        payload: { kind, input: { source }, reason: 'the fair' },
      });
    const query = 'utm_source=Messe+Köln&utm_medium=flyer';
    const pinned = await change('pin-source', `https://line.example.com/?${query}`);
    expect(pinned.json().summary).toBe('The source "Messe Köln / flyer" was pinned.');
    expect((await change('pin-source', query.toLowerCase())).statusCode).toBe(409);
    expect((await change('pin-source', 'utm_source=fair&via=%3C')).statusCode).toBe(422);
    expect((await change('pin-source', 'fair')).json().detail).toMatch(/^Please name the source/);
    const unvisited = await overview();
    expect(unvisited.sources).toContainEqual(
      expect.objectContaining({ utm_source: 'Messe Köln', visits: 0, is_pinned: true }),
    );
    expect(unvisited.sources).toContainEqual(
      expect.objectContaining({ utm_source: 'TikTok', is_pinned: false }),
    );
    await visit(`${pagePaths.landing}?${query}`);
    await app.flushCounters();
    await app.database.runSql(`delete from source where utm_source = 'TikTok'`);
    const { sources } = await overview();
    expect(sources).toContainEqual(
      expect.objectContaining({ utm_source: 'Messe Köln', utm_medium: 'flyer', visits: 1 }),
    );
    expect(sources).toContainEqual(
      expect.objectContaining({ utm_source: '(other)', visits: 1, joins: 0 }),
    );
    const undo = fillPath(operatorPaths.undoChange, String(pinned.json().change));
    const undone = await app.fastify.inject({
      method: 'POST',
      url: undo,
      headers: { authorization },
      payload: { reason: 'a mistake' },
    });
    expect(undone.json().summary).toBe('The source "Messe Köln / flyer" was unpinned.');
    expect((await change('unpin-source', query)).statusCode).toBe(409);
  });

  step('is for callers with a token', async () => {
    for (const url of [operatorPaths.overview, operatorPaths.overviewHealth])
      expect((await app.fastify.inject({ url })).statusCode).toBe(401);
  });
});
