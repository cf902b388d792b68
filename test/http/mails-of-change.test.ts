/** Whom a change mails: the preview says so, the mails wait for an hour, and an undo takes them. */
import { beforeAll, describe, expect } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/durations.ts';
import { queueDueNotifications } from '../../server/notifications/queue-due-notifications.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { provideApp } from './provide-app.ts';

const TOP = brand.maskCount;

describe.each(oneEngine)('the mails of a change, on %s', (engine) => {
  const app = provideApp(engine);
  const { undo, sql } = app;
  const ids: string[] = [];
  let code = '';

  beforeAll(async () => {
    for (let index = 0; index < TOP + 3; index += 1) {
      const { id, referral_code } = await app.join(`m${index}@example.com`);
      ids.push(id);
      if (index === 50) code = referral_code;
    }
    await confirmEverybody(app.database);
    await notify(0);
  });

  const sentencesOf = async (kind: string, input: object): Promise<string[]> =>
    (await app.preview(kind, input)).sentences;
  const change = async (kind: string, input: object): Promise<number> =>
    (await app.change(kind, input)).change;
  const notify = (inMs: number) =>
    queueDueNotifications(app.database, { brand, now: new Date(Date.now() + inMs) });
  const countMails = async (kind: string) =>
    (await sql(`select from pgboss.job where data->>'kind' = $1`, [kind])).length;
  const removal = () => ({ member_ids: ids.slice(0, 2) });
  /** Nobody is mailed within the hour, and nobody ever if the change is undone. */
  async function expectUndone(number: number, kind: string): Promise<void> {
    for (const inMs of [0, 59 * MINUTE_MS]) await notify(inMs);
    expect(await countMails(kind)).toBe(0);
    await undo(number);
    await notify(2 * HOUR_MS);
    expect(await countMails(kind)).toBe(0);
  }

  const step = tellStory('goes through one step after the other');

  step('a preview names those who come into the top, however the members are named', async () => {
    const [sentence] = (await sentencesOf('remove-members', removal())).filter((one) =>
      /top/.test(one),
    );
    expect(sentence).toMatch(
      new RegExp(
        '^2 members are mailed that they are in the top \\d+ in an hour, unless this is undone ' +
          'before: m\\d+@example\\.com, m\\d+@example\\.com\\.$',
      ),
    );
    expect(sentence).toContain(`m${TOP}@example.com`);
    expect(sentence).toContain(`m${TOP + 1}@example.com`);
    expect(await sentencesOf('adjust-points', { member_id: ids.at(-1), by: 500 })).toContainEqual(
      expect.stringMatching(/^1 member is mailed that they are in the top/),
    );
    expect(await countMails('top100')).toBe(0);
  });

  step('a preview leaves out whose mail is off, and says that no mail leaves', async () => {
    const suppress = (hash: string, member = '') =>
      sql(
        `insert into mail_suppression (address_hash, reason, member_id) values ($1, 'stopped', $2)`,
        [hash, member],
      );
    await suppress('one', ids[TOP]);
    expect(await sentencesOf('remove-members', removal())).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^No mail server is set/),
        expect.stringMatching(new RegExp(`^1 member is mailed .*: m${TOP + 1}@example\\.com`)),
      ]),
    );
    await suppress('other', ids[TOP + 1]);
    const sentences = await sentencesOf('remove-members', removal());
    expect(sentences.join()).not.toMatch(/mailed|mail server/);
    await sql('delete from mail_suppression');
  });

  step('after an hour the mails leave, unless the change is undone', async () => {
    await expectUndone(await change('remove-members', removal()), 'top100');
    await change('remove-members', removal());
    await notify(61 * MINUTE_MS);
    expect(await countMails('top100')).toBe(2);
  });

  step('credits that are decided are news in an hour, and none once they are undone', async () => {
    const friend = await app.join('friend@example.com', code);
    await sql(`
      update member set credit = 'held' where email = 'friend@example.com';
      select rebuild_line();
      delete from notification_due`);
    const given = { state: 'given', member_ids: [friend.id] };
    expect(await sentencesOf('decide-credits', given)).toContain(
      '1 member is mailed about new friends in an hour, unless this is undone before: ' +
        'm50@example.com.',
    );
    await expectUndone(await change('decide-credits', given), 'friends');
    await change('decide-credits', given);
    await notify(61 * MINUTE_MS);
    expect(await countMails('friends')).toBe(1);
  });

  step('what happens by itself is mailed at once, as ever', async () => {
    const before = await countMails('friends');
    await app.join('another@example.com', code);
    await notify(26 * HOUR_MS);
    expect(await countMails('friends')).toBe(before + 1);
  });
});
