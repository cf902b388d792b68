/** Without a mail server mails are kept, nobody gets them, and nothing says otherwise. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Campaign } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

describe.each(oneEngine)('without a mail server, on %s', (engine) => {
  let app: TestApp;
  const ids: string[] = [];
  beforeAll(async () => {
    app = await openTestApp(engine, { isTrial: false });
    for (const name of ['ada', 'bob']) ids.push((await app.join(`${name}@example.com`)).id);
  });
  afterAll(() => app.remove());

  const get = async (url: string) => (await app.fastify.inject({ url, headers: HEADERS })).json();
  const post = async (url: string, payload: object) => {
    const answer = await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
    return { status: answer.statusCode, ...answer.json() };
  };
  const change = (kind: string, input: object = {}) =>
    post(operatorPaths.changes, { kind, input, reason: 'launch day' });

  const step = tellStory('goes through one step after the other');

  step('changes that count on mail begin with a warning', async () => {
    await confirmEverybody(app.database);
    const draft = { subject: 'News', body: 'Soon.', filter: {} };
    const { campaign, revision } = await post(operatorPaths.campaigns, draft);
    await expect
      .poll(async () => (await app.database.runSql('select from mail_outbox')).rows)
      .toEqual([]);
    await app.database.runSql(`
      select queue_mails(array_agg(jsonb_build_object('kind', 'welcome', 'memberId', id)))
      from member;
      update pgboss.job set state = 'completed', completed_on = now(),
        output = '{"outcome": "refused"}'`);
    for (const [kind, input] of [
      ['send-campaign', { campaign, revision }],
      ['resend-link', { member_id: ids[0] }],
      ['retry-mails', {}],
    ] as const) {
      const { sentences } = await post(operatorPaths.previewChange, { kind, input });
      expect([kind, sentences?.[0]]).toEqual([kind, expect.stringMatching(/^No mail server/)]);
    }
  });

  step('a campaign is kept, not sent', async () => {
    const draft = { subject: 'News', body: 'Soon.', filter: {} };
    const { campaign, revision } = await post(operatorPaths.campaigns, draft);
    await change('send-campaign', { campaign, revision });
    const read = (): Promise<Campaign> => get(fillPath(operatorPaths.campaign, String(campaign)));
    await expect.poll(async () => (await read()).state, { timeout: 30_000 }).toBe('sent');
    expect((await read()).counts).toMatchObject({ recipients: 2, kept: 2, sent: 0, waiting: 0 });
  });

  step('the overview, a member and the metrics say so', async () => {
    const readMetrics = async () =>
      (await app.fastify.inject({ url: '/metrics', headers: HEADERS })).payload;
    const kept = /^waitlist_mails_total\{kind="campaign",outcome="kept"\} 2$/m;
    await expect.poll(readMetrics).toMatch(kept);
    expect(await readMetrics()).not.toMatch(/outcome="sent"/);
    await app.flushCounters();
    const { mail } = await get(operatorPaths.overviewHealth);
    expect(mail).toMatchObject({ sent: 0, kept: 4 });
    expect(mail.problem).toMatch(/^No mail server is set: .* Set SMTP_URL\.$/);
    const sheet = await get(fillPath(operatorPaths.member, ids[0] ?? ''));
    expect(JSON.stringify(sheet.mail.mails)).not.toContain('"sent"');
  });

  step('offers do not start, and none is made', async () => {
    await change('freeze-drop', { first: 2 });
    await change('announce-draw', { by_rank: 1, drawn_among: 2, source: 'seed' });
    await change('select-entrants');
    const terms = { minutes: 60, time_zone: 'UTC' };
    expect(await change('start-offers', terms)).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/^No mail server is set/),
    });
    const trial = await app.openAnother({ isTrial: true });
    const started = await trial.fastify.inject({
      method: 'POST',
      url: operatorPaths.changes,
      headers: HEADERS,
      payload: { kind: 'start-offers', input: terms, reason: 'a trial' },
    });
    expect(started.statusCode).toBe(201);
    const sweep = (by: Pick<TestApp, 'scheduledWork'>) =>
      by.scheduledWork.find(({ name }) => name === 'making offers')?.run();
    const countOffers = async () => (await app.database.runSql('select id from offer')).rows.length;
    await sweep(app);
    expect(await countOffers()).toBe(0);
    await sweep(trial);
    expect(await countOffers()).toBeGreaterThan(0);
    await trial.close();
  });
});
