/** How many mails strangers can make us send to one mailbox. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAILS_PER_MAILBOX } from '../../server/guard/limits/limit-rules.ts';
import { queuePostponedMails } from '../../server/notifications/queue-due-notifications.ts';
import { oneEngine } from '../support/engines.ts';
import { openTestApp, type TestApp } from './test-app.ts';

describe.each(oneEngine)('mails to one mailbox on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine, { isLimiting: true, referralCredit: 'confirm' });
  });
  afterAll(() => app.remove());

  const enter = (email: string) =>
    app.fastify.inject({ method: 'POST', url: '/api/waitlist/join', payload: { email } });
  const enterAll = async (emails: readonly string[]) =>
    (await Promise.all(emails.map(enter))).map(({ statusCode }) => statusCode);
  /** The addresses that get a mail, sorted. */
  async function mailed(ending: string): Promise<string[]> {
    const { rows } = (await app.database.runSql(
      `select email from member
       where email like $1 and (
         exists (select from mail_outbox where member.id = any(member_ids))
         or exists (select from pgboss.job where (data->>'memberId')::uuid = member.id))
       order by 1`,
      [`%${ending}`],
    )) as { rows: { email: string }[] };
    return rows.map(({ email }) => email);
  }
  const many = (count: number, email: (number: number) => string) =>
    Array.from({ length: count }, (_, number) => email(number));

  test('150 tags of one mailbox join, few are mailed, and entering again mails none', async () => {
    const statuses = await enterAll(many(150, (number) => `bomb+${number}@mail.example`));
    expect(new Set(statuses)).toEqual(new Set([201]));
    expect(await mailed('@mail.example')).toHaveLength(MAILS_PER_MAILBOX.max);
    await enter('bomb@mail.example');
    expect(await mailed('bomb@mail.example')).toEqual(['bomb@mail.example']);

    await app.database.runSql(
      `update member set joined_at = joined_at - interval '1 hour' where email like 'bomb+%'`,
    );
    const again = await enterAll(many(150, (number) => `bomb+${number}@mail.example`));
    expect(new Set(again)).toEqual(new Set([409]));
    expect(await mailed('@mail.example')).toHaveLength(MAILS_PER_MAILBOX.max + 1);
  });

  test('dots and the other domain are the same mailbox where the provider says so', async () => {
    const emails = many(40, (number) => {
      const name = [...'victims'].map((letter, at) => letter + ((number >> at) & 1 ? '.' : ''));
      return `${name.join('').replace(/\.$/, '')}@${number % 2 ? 'gmail.com' : 'googlemail.com'}`;
    });
    expect(new Set(await enterAll(emails))).toEqual(new Set([201]));
    expect(await mailed('mail.com')).toHaveLength(MAILS_PER_MAILBOX.max);
  });

  test('a family that shares a mailbox with tags is mailed, each of them', async () => {
    const family = many(8, (number) => `family+${number}@home.example`);
    await enterAll(['family@home.example', ...family]);
    expect(await mailed('@home.example')).toHaveLength(9);
  });

  test('a person whose mailbox was bombed is mailed when the hour is over, once', async () => {
    const joined = () => mailed('@post.example');
    await enterAll(many(150, (number) => `hurt+${number}@post.example`));
    const { statusCode } = await enter('hurt+me@post.example');
    expect([statusCode, (await joined()).length]).toEqual([201, MAILS_PER_MAILBOX.max]);
    await queuePostponedMails(app.database);
    expect(await joined()).toHaveLength(MAILS_PER_MAILBOX.max);
    const later = new Date(Date.now() + 2 * 3_600_000);
    await queuePostponedMails(app.database, later);
    const then = await joined();
    expect(then).toContain('hurt+me@post.example');
    expect(then).toHaveLength(2 * MAILS_PER_MAILBOX.max);
    await queuePostponedMails(app.database, later);
    const { rows } = await app.database.runSql(
      `select data->>'kind' as kind from pgboss.job
       join member on member.id = (data->>'memberId')::uuid
       where email = 'hurt+me@post.example'`,
    );
    expect(rows).toEqual([{ kind: 'confirm' }]);
  });

  test('people with mailboxes of their own are mailed, however many', async () => {
    await enterAll(many(100, (number) => `person${number}@town.example`));
    expect(await mailed('@town.example')).toHaveLength(100);
  });
});
