/** Providers that refuse the sender, by a quota or a suspended account, as they document it. */
import { describe, expect } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import type { Moment } from '../support/smtp-mailbox.ts';
import { tellStory } from '../support/tell-story.ts';
import { isAll } from '../support/test-form.ts';
import { provideMailApp } from './mail-app.ts';

/**
 * Where one answers so, and in which words. `seen` is what an operator reads of it. The tests
 * beside smtp-failure-rules.ts and refusal-watch.ts have what others document.
 */
const PROVIDERS: Readonly<Record<string, { at: Moment; answer: string; seen: string }>> = {
  // Connections stay open, so this one comes first.
  'a provider without the account': {
    at: 'login',
    answer: '535 5.7.8 Error: authentication failed',
    seen: '535 5.7.8',
  },
  Gmail: {
    at: 'data',
    answer: '550 5.4.5 Daily user sending limit exceeded. For more information on Gmail limits',
    seen: '550 5.4.5',
  },
  Exim: { at: 'recipient', answer: '550 Sender rate overlimit - 290.8 / 24h', seen: '550' },
  'a provider that refuses the sender': {
    at: 'sender',
    answer: '553 5.7.1 Sender address rejected: not owned by user',
    seen: '553 5.7.1',
  },
};

describe('a provider', () => {
  let refusing: { at: Moment; answer: string } | null = null;
  const app = provideMailApp('embedded', {
    react: (moment) => (refusing?.at === moment ? refusing.answer : undefined),
    hasLogin: true,
  });
  const { read, change } = app;
  let joined = 0;

  const join = async (count: number) => {
    for (let index = 0; index < count; index += 1) {
      joined += 1;
      await app.join(`m${joined}@example.com`);
    }
  };
  const isStopped = async () => 'detail' in (await read('/readyz'));
  const allowProbe = () => app.sql('update mail_pace set probe_at = now()');
  const count = async (text: string) => (await app.sql<{ count: number }>(text))[0]?.count;

  const step = tellStory('goes through one step after the other');

  for (const [name, { at, answer, seen }] of Object.entries(PROVIDERS)) {
    if (!isAll && name !== 'Gmail') continue;
    step(
      `${name} stops mail, loses none, and a probe that is accepted lets all leave`,
      async () => {
        const before = app.box.mails.length;
        refusing = { at, answer };
        await join(4);
        await expect.poll(isStopped, { timeout: 30_000 }).toBe(true);
        expect((await read('/readyz')).status).toBe('ok');
        expect((await read('/readyz')).detail).toContain(`(${seen})`);
        expect(app.box.mails).toHaveLength(before);

        // A probe that is refused changes nothing, and none is lost.
        const { later: attempts = 0 } = await app.outcomes();
        await allowProbe();
        await app.waitForOutcome('later', attempts + 1);
        expect(await isStopped()).toBe(true);

        refusing = null;
        await allowProbe();
        await app.untilQueueIsEmpty();
        expect(await isStopped()).toBe(false);
        expect(app.box.mails).toHaveLength(before + 4);
        const { refused = 0, given_up: givenUp = 0 } = await app.outcomes();
        expect(refused + givenUp).toBe(0);
      },
    );
  }

  step(
    'while mail stands still no offer begins, and the console, metrics and the log say so',
    async () => {
      refusing = PROVIDERS.Gmail ?? null;
      await join(6);
      await expect.poll(isStopped, { timeout: 30_000 }).toBe(true);
      await confirmEverybody(app.database);
      await change('freeze-drop', { first: 10, domains: ['example.com'] });
      await change('announce-draw', { by_rank: 2, drawn_among: 10, source: 'seed' });
      await change('select-entrants');
      const terms = { minutes: 60, time_zone: 'UTC' };
      expect(await change('start-offers', terms)).toMatchObject({ status: 201 });
      const sweep = () => app.run('making offers');
      await sweep();
      expect(await count('select count(*)::integer from offer')).toBe(0);
      expect((await read(operatorPaths.drop)).waits_for).toBe('mail');
      const { mail } = await read(operatorPaths.overviewHealth);
      expect(mail.problem).toMatch(
        /^Mail stands still since .* \(550 5\.4\.5\)\. .*nothing is lost/,
      );
      expect((await app.get('/metrics')).payload).toMatch(/^waitlist_mail_refused 1$/m);
      expect(app.logged()).toMatch(
        /"status":"5\.4\.5".*"the provider refuses the sender: mail stands/,
      );

      refusing = null;
      await allowProbe();
      await expect.poll(isStopped, { timeout: 30_000 }).toBe(false);
      await sweep();
      await expect
        .poll(() => count('select count(*)::integer from offer where mailed_at is not null'), {
          timeout: 30_000,
        })
        .toBeGreaterThan(0);
    },
  );

  step('a refused offer keeps its time, which begins with the mail', async () => {
    await app.untilQueueIsEmpty();
    refusing = PROVIDERS.Exim ?? null;
    await app.sql(`update offer set mailed_at = null`);
    await app.sql(`
      select queue_mails(array_agg(jsonb_build_object(
        'kind', 'offer', 'memberId', member_id, 'offerId', id))) from offer where state = 'open'`);
    const unmailed = `
      select count(*)::integer from offer where state = 'open' and mailed_at is null`;
    const open = await count(unmailed);
    await join(3);
    await expect.poll(isStopped, { timeout: 30_000 }).toBe(true);
    expect(await count(unmailed)).toBe(open);
    refusing = null;
    await allowProbe();
    await expect.poll(() => count(unmailed), { timeout: 30_000 }).toBe(0);
  });

  step('one mail that is refused by a policy again and again holds no other', async () => {
    await app.untilQueueIsEmpty();
    refusing = { at: 'data', answer: '550 5.7.1 Message rejected' };
    await join(1);
    await expect.poll(isStopped, { timeout: 30_000 }).toBe(true);
    await expect
      .poll(() => allowProbe().then(isStopped), { timeout: 30_000, interval: 250 })
      .toBe(false);
    refusing = null;
    await app.untilQueueIsEmpty();
    expect((await app.outcomes()).refused ?? 0).toBe(0);
  });

  step('what was refused for good is sent again when an operator says so', async () => {
    await app.untilQueueIsEmpty();
    refusing = { at: 'recipient', answer: '550 5.1.1 User unknown' };
    await join(2);
    await app.waitForOutcome('refused', 2);
    expect(await app.listMails(operatorPaths.failedMails)).toHaveLength(2);
    refusing = null;
    const before = app.box.mails.length;
    const { summary } = await change('retry-mails');
    expect(summary).toBe('2 mails that never arrived were sent again.');
    await app.untilQueueIsEmpty();
    expect(app.box.mails).toHaveLength(before + 2);
    expect(await app.listMails(operatorPaths.failedMails)).toEqual([]);
  });
});
