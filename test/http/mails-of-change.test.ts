/** Whom a change mails: the preview says so, the mails wait for an hour, and an undo takes them. */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { HOUR_MS, MINUTE_MS } from '../../server/durations.ts';
import { queueDueNotifications } from '../../server/notifications/queue-due-notifications.ts';
import { confirmEverybody } from '../support/confirm-everybody.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
const TOP = brand.maskCount;

describe.each(oneEngine)('the mails of a change, on %s', (engine) => {
  let app: TestApp;
  const ids: string[] = [];
  let code = '';

  beforeAll(async () => {
    app = await openTestApp(engine);
    for (let index = 0; index < TOP + 3; index += 1) {
      const { id, referral_code } = await app.join(`m${index}@example.com`);
      ids.push(id);
      if (index === 50) code = referral_code;
    }
    await confirmEverybody(app.database);
    await notify(0);
  });
  afterAll(() => app.remove());

  const post = async (url: string, payload: object) =>
    (await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS })).json();
  const preview = async (kind: string, input: object) =>
    (await post(operatorPaths.previewChange, { kind, input })).sentences as string[];
  const change = async (kind: string, input: object) =>
    (await post(operatorPaths.changes, { kind, input, reason: 'a test' })).change as number;
  const undo = (number: number) =>
    post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' });
  const notify = (inMs: number) =>
    queueDueNotifications(app.database, { brand, now: new Date(Date.now() + inMs) });
  async function countMails(kind: string): Promise<number> {
    const { rows } = await app.database.runSql(
      `select count(*)::integer as mails from pgboss.job where data->>'kind' = $1`,
      [kind],
    );
    return (rows[0] as { mails: number }).mails;
  }

  const step = tellStory('goes through one step after the other');

  step('a preview names those who come into the top, however the members are named', async () => {
    const removal = { member_ids: ids.slice(0, 2) };
    expect(await preview('remove-members', removal)).toContainEqual(
      expect.stringMatching(
        new RegExp(
          '^2 members are mailed that they are in the top \\d+ in an hour, unless this is undone ' +
            'before: m\\d+@example\\.com, m\\d+@example\\.com\\.$',
        ),
      ),
    );
    const [sentence] = (await preview('remove-members', removal)).filter((one) => /top/.test(one));
    expect(sentence).toContain(`m${TOP}@example.com`);
    expect(sentence).toContain(`m${TOP + 1}@example.com`);
    expect(await preview('adjust-points', { member_id: ids.at(-1), by: 500 })).toContainEqual(
      expect.stringMatching(/^1 member is mailed that they are in the top/),
    );
    expect(await countMails('top100')).toBe(0);
  });

  step('a preview leaves out whose mail is off, and says that no mail leaves', async () => {
    const removal = { member_ids: ids.slice(0, 2) };
    const suppress = (hash: string, member = '') =>
      app.database.runSql(
        `insert into mail_suppression (address_hash, reason, member_id) values ($1, 'stopped', $2)`,
        [hash, member],
      );
    await suppress('one', ids[TOP]);
    expect(await preview('remove-members', removal)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^No mail server is set/),
        expect.stringMatching(new RegExp(`^1 member is mailed .*: m${TOP + 1}@example\\.com`)),
      ]),
    );
    await suppress('other', ids[TOP + 1]);
    expect((await preview('remove-members', removal)).join()).not.toMatch(/mailed|mail server/);
    await app.database.runSql('delete from mail_suppression');
  });

  step('nobody is mailed within the hour, and nobody ever if the change is undone', async () => {
    const number = await change('remove-members', { member_ids: ids.slice(0, 2) });
    await notify(0);
    await notify(59 * MINUTE_MS);
    expect(await countMails('top100')).toBe(0);
    await undo(number);
    await notify(2 * HOUR_MS);
    expect(await countMails('top100')).toBe(0);
  });

  step('after an hour the mails leave', async () => {
    await change('remove-members', { member_ids: ids.slice(0, 2) });
    await notify(61 * MINUTE_MS);
    expect(await countMails('top100')).toBe(2);
  });

  step('credits that are decided are news in an hour, and none once they are undone', async () => {
    const friend = await app.join('friend@example.com', code);
    await app.database.runSql(`
      update member set credit = 'held' where email = 'friend@example.com';
      select rebuild_line();
      delete from notification_due`);
    const given = { state: 'given', member_ids: [friend.id] };
    expect(await preview('decide-credits', given)).toContain(
      '1 member is mailed about new friends in an hour, unless this is undone before: ' +
        'm50@example.com.',
    );
    const number = await change('decide-credits', given);
    await notify(59 * MINUTE_MS);
    expect(await countMails('friends')).toBe(0);
    await undo(number);
    await notify(2 * HOUR_MS);
    expect(await countMails('friends')).toBe(0);
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
