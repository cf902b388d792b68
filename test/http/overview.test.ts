/** What the overview counts when people and programs visit, and what it shows to operators. */
import { describe, expect } from 'vitest';
import type { Overview, OverviewHealth } from '../../contract/operator/overview.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath, imagePaths, landingWithReferral, pagePaths } from '../../contract/paths.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { AS_OWNER, provideApp } from './provide-app.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

describe.each(oneEngine)('the overview over HTTP on the %s engine', (engine) => {
  const app = provideApp(engine);
  const visit = (url: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.fastify.inject({ method, url, headers: { 'user-agent': CHROME, ...headers } });
  const invite = (code: string) => fillPath(pagePaths.invite, code);

  /** By another server, which has counted nothing: all comes from the database. */
  async function ask<T>(path: string): Promise<T> {
    await app.flushCounters();
    const other = await app.openAnother();
    const response = await app.ask('GET', path, undefined, AS_OWNER, other);
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
    await visit(invite('ZZZZZZZZZZ'));
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
      expect.objectContaining({ utm_source: 'TikTok', referring_host: 'news.example', visits: 1 }),
    ]);
  });

  step('counts members whose link was opened or previewed, each once', async () => {
    const codes: string[] = [];
    for (const name of ['ann', 'bob', 'cem', 'dan'])
      codes.push((await app.join(`${name}@example.com`)).referral_code);
    const [ann = '', bob = '', cem = ''] = codes;
    await visit(invite(ann));
    await visit(invite(ann), { 'user-agent': 'WhatsApp/2.24' });
    await visit(landingWithReferral(bob.toLowerCase()));
    const page = await visit(invite(cem), { 'user-agent': 'Slackbot' });
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

  step('pins a source of the operator, and gives what was forgotten to "other"', async () => {
    const change = (kind: string, source: string) => app.change(kind, { source });
    const query = 'utm_source=Messe+Köln&utm_medium=flyer';
    const pinned = await change('pin-source', `https://line.example.com/?${query}`);
    expect(pinned.summary).toBe('The source "Messe Köln / flyer" was pinned.');
    expect(await change('pin-source', query.toLowerCase())).toMatchObject({ status: 409 });
    expect(await change('pin-source', 'utm_source=fair&via=%3C')).toMatchObject({ status: 422 });
    expect((await change('pin-source', 'fair')).detail).toMatch(/^Please name the source/);
    const expectSources = async (...wanted: object[]) => {
      const { sources } = await overview();
      for (const one of wanted) expect(sources).toContainEqual(expect.objectContaining(one));
    };
    await expectSources(
      { utm_source: 'Messe Köln', visits: 0, is_pinned: true },
      { utm_source: 'TikTok', is_pinned: false },
    );
    await visit(`${pagePaths.landing}?${query}`);
    await app.flushCounters();
    await app.sql(`delete from source where utm_source = 'TikTok'`);
    await expectSources(
      { utm_source: 'Messe Köln', utm_medium: 'flyer', visits: 1 },
      { utm_source: '(other)', visits: 1, joins: 0 },
    );
    const undone = await app.undo(pinned.change);
    expect(undone.summary).toBe('The source "Messe Köln / flyer" was unpinned.');
    expect(await change('unpin-source', query)).toMatchObject({ status: 409 });
  });
});
