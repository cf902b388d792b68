/** Without a mail server mails are kept, nobody gets them, and nothing says otherwise. */
import { beforeAll, describe, expect } from 'vitest';
import type { Campaign } from '../../contract/operator/mail/campaigns.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { provideApp } from './provide-app.ts';

describe.each(oneEngine)('without a mail server, on %s', (engine) => {
  const app = provideApp(engine, { isTrial: false });
  const { post, get, read, change, sql } = app;
  let ids: string[] = [];
  beforeAll(async () => {
    ids = await app.joinGhosts(2);
    await confirmEverybody(app.database);
  });
  const draft = () => post(operatorPaths.campaigns, { subject: 'News', body: 'Soon.', filter: {} });

  const step = tellStory('goes through one step after the other');

  step('changes that count on mail begin with a warning', async () => {
    const { campaign, revision } = await draft();
    await expect.poll(() => sql('select from mail_outbox')).toEqual([]);
    await sql(`
      select queue_mails(array_agg(jsonb_build_object('kind', 'welcome', 'memberId', id)))
      from member;
      update pgboss.job set state = 'completed', completed_on = now(),
        output = '{"outcome": "refused"}'`);
    for (const [kind, input] of [
      ['send-campaign', { campaign, revision }],
      ['resend-link', { member_id: ids[0] }],
      ['retry-mails', {}],
    ] as const) {
      const { sentences } = await app.preview(kind, input);
      expect([kind, sentences?.[0]]).toEqual([kind, expect.stringMatching(/^No mail server/)]);
    }
  });

  step('a campaign is kept, not sent', async () => {
    const { campaign, revision } = await draft();
    await change('send-campaign', { campaign, revision });
    await app.run('finding the recipients of a campaign');
    const readCampaign = (): Promise<Campaign> =>
      read(fillPath(operatorPaths.campaign, String(campaign)));
    await expect.poll(async () => (await readCampaign()).state, { timeout: 30_000 }).toBe('sent');
    const counts = { recipients: 2, kept: 2, sent: 0, waiting: 0 };
    expect((await readCampaign()).counts).toMatchObject(counts);
  });

  step('the overview, a member and the metrics say so', async () => {
    const readMetrics = async () => (await get('/metrics')).payload;
    const kept = /^waitlist_mails_total\{kind="campaign",outcome="kept"\} 2$/m;
    await expect.poll(readMetrics).toMatch(kept);
    expect(await readMetrics()).not.toMatch(/outcome="sent"/);
    const readMail = async () => {
      await app.flushCounters();
      return (await read(operatorPaths.overviewHealth)).mail;
    };
    await expect.poll(readMail, { timeout: 30_000 }).toMatchObject({ sent: 0, kept: 4 });
    expect((await readMail()).problem).toMatch(/^No mail server is set: .* Set SMTP_URL\.$/);
    const sheet = await read(fillPath(operatorPaths.member, ids[0] ?? ''));
    expect(JSON.stringify(sheet.mail.mails)).not.toContain('"sent"');
  });

  step('offers do not start, and none is made', async () => {
    await change('freeze-drop', { first: 2 });
    await change('announce-draw', { by_rank: 1, drawn_among: 2, source: 'seed' });
    await change('select-entrants');
    const terms = { minutes: 60, time_zone: 'UTC' };
    await app.refuses('start-offers', terms, /^No mail server is set/);
    const trial = await app.openAnother({ isTrial: true });
    expect(await app.changeOn(trial, 'start-offers', terms)).toMatchObject({ status: 201 });
    const countOffers = async () => (await sql('select from offer')).length;
    await app.run('making offers');
    expect(await countOffers()).toBe(0);
    await app.run('making offers', trial);
    expect(await countOffers()).toBeGreaterThan(0);
    await trial.close();
  });
});
