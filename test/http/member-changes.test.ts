/** What operators change about members, over the API, with real concurrency. */
import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { inTransaction, type Transaction } from '../../server/db/transaction.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { loadSecretKey } from '../../server/mail/secret-key.ts';
import { type SuppressionReason, suppressAddress } from '../../server/mail/suppression/store.ts';
import { deleteExpiredUndo } from '../../server/members/changes/removal-change.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { settleMail } from './mail-links.ts';
import { provideApp } from './provide-app.ts';

/** The member's row and all that a removal has to bring back. */
const LINE_TABLES = `member standing count_node referral_tally notification_state status_link_sent
  top100_notified member_note mail_suppression`
  .split(/\s+/)
  .map((name) => `public.${name}`);

describe.each(oneEngine)('changes of members on %s', (engine) => {
  const app = provideApp(engine);
  const { post, get, change, preview, undo, statusOf, expectWhole } = app;
  const dumpLine = async () =>
    (await dumpDatabase(app.database, (table) => LINE_TABLES.includes(table))).text;
  const find = async (text: string) => (await post(operatorPaths.findMembers, { text })).members;
  const suppress = async (identity: string, reason: SuppressionReason) =>
    suppressAddress(app.database, await loadSecretKey(app.config, app.database), {
      identity,
      reason,
    });
  let joined = 0;
  function join(referredBy?: string) {
    joined += 1;
    return app.join(`m${joined}@example.com`, referredBy);
  }

  const step = tellStory('goes through one step after the other');

  step('a removal says what it changes, does it, and is undone to the last byte', async () => {
    const ada = await join();
    const grace = await join(ada.referral_code);
    const friends = [];
    for (let count = 0; count < 3; count += 1) friends.push(await join(grace.referral_code));
    await settleMail(app);
    await post(fillPath(operatorPaths.notes, grace.id), { body: 'A friend of the house' });
    const before = await dumpLine();
    const input = { member_ids: [grace.id] };
    expect(await preview('remove-members', input)).toEqual({
      status: 200,
      sentences: [
        'm2@example.com at position 1 leaves the line.',
        '4 other members get another position.',
        '1 credit is taken back.',
        '3 friends they brought stay, and count for nobody.',
        'Their mails are deleted, also if the removal is undone.',
      ],
      counts: {
        members: 1,
        moved: 4,
        credits: 1,
        lost_tier: 0,
        friends: 3,
        offers: 0,
        passes: 0,
        owed: 0,
      },
      seen: 0,
      can_undo: true,
    });
    expect(await dumpLine()).toBe(before);
    const made = await change('remove-members', input);
    expect(made.summary).toBe('1 member was removed, 1 credit taken back.');
    expect((await statusOf(ada.id)).referral_count).toBe(0);
    expect((await get(`/api/waitlist/status/${grace.id}`)).statusCode).toBe(404);
    await expectWhole();
    const late = await join();
    expect((await undo(made.change)).summary).toBe('1 member came back.');
    await expectWhole();
    expect(await change('erase-member', { member: late.id })).toMatchObject({ status: 201 });
    expect(await dumpLine()).toBe(before);
  });

  step('a removal by filter names who loses a tier, and takes no more than shown', async () => {
    const star = await join();
    for (let count = 0; count < 3; count += 1)
      await app.join(`bot${count}@spam.example`, star.referral_code);
    const input = { filter: { text: '@spam.example' } };
    const shown = await preview('remove-members', input);
    expect(shown.sentences).toContain('3 credits are taken back, 1 member loses tier 1.');
    expect(shown.counts).toMatchObject({ members: 3, credits: 3, lost_tier: 1 });
    await app.join('bot4@spam.example');
    expect(await change('remove-members', { ...input, expected: 3 })).toEqual({
      status: 409,
      detail: '4 members match by now, and not 3: look at the preview again.',
    });
    const made = await change('remove-members', { ...input, expected: 4 });
    expect(made.summary).toBe(
      '4 members were removed, 3 credits taken back, 1 member loses tier 1.',
    );
    expect((await statusOf(star.id)).tier_level).toBe(0);
    await app.join('bot1@spam.example');
    expect((await undo(made.change)).summary).toBe(
      '3 members came back. 1 other is in line again with the same address.',
    );
    expect((await statusOf(star.id)).referral_count).toBe(2);
    await expectWhole();
    const none = await change('remove-members', { filter: { text: 'nobody-has-this' } });
    expect(none.detail).toBe('No member in line matches.');
  });

  step('points move a member, not their tier, and are taken back', async () => {
    const [first, second, third] = [await join(), await join(), await join()];
    const of = async (id: string) => (await statusOf(id)).position as number;
    const before = [await of(first.id), await of(second.id), await of(third.id)];
    const made = await change('adjust-points', { member_id: third.id, by: 3 });
    expect(made.summary).toBe('A member got 3 points.');
    expect(await statusOf(third.id)).toMatchObject({ referral_count: 0, tier_level: 0 });
    expect(await of(third.id)).toBeLessThan(before[0] ?? 0);
    expect(await of(first.id)).toBe((before[0] ?? 0) + 1);
    await expectWhole();
    expect(await find(third.id)).toMatchObject([{ points: 3, point_adjustment: 3 }]);
    expect(await undo(made.change)).toMatchObject({ status: 201 });
    expect([await of(first.id), await of(second.id), await of(third.id)]).toEqual(before);
    const adjust = (by: number) => change('adjust-points', { member_id: third.id, by });
    expect(await adjust(0)).toMatchObject({ status: 422 });
    await adjust(9_000);
    expect(await adjust(1_001)).toEqual({
      status: 409,
      detail: expect.stringMatching(/^This member was given 9000 points before, .*\.$/),
    });
    await expectWhole();
  });

  step('an address is corrected by the rules of a join, and comes back with an undo', async () => {
    const member = await join();
    await confirmMember(app.database, { memberId: member.id });
    const other = await join();
    const { email: taken } = await statusOf(other.id);
    const input = { member_id: member.id, email: 'Corrected@Example.com' };
    await suppress('corrected@example.com', 'bounced');
    const before = (await statusOf(member.id)).email;
    expect((await preview('correct-address', input)).sentences).toEqual([
      `The address ${before} becomes Corrected@Example.com.`,
      'It is not confirmed any more. Credits stay.',
      'Links in mails to the address before stop working.',
      'The new address gets no mail: bounced.',
    ]);
    for (const [email, status, detail] of [
      [taken.toUpperCase(), 409, 'Another member has this address.'],
      [before, 409, 'The member has this address already.'],
      ['nobody', 422, 'This does not look like an email address. Please check it.'],
    ] as const)
      expect(await change('correct-address', { ...input, email })).toEqual({ status, detail });
    const made = await change('correct-address', input);
    expect(made.summary).toBe('The address of a member was corrected.');
    expect(await find('corrected@example.com')).toMatchObject([
      { id: member.id, confirmed_at: null, mail: { state: 'bounced' } },
    ]);
    expect(await find(before)).toEqual([]);
    const log = await dumpDatabase(app.database, (table) => table === 'public.audit_entry');
    expect(log.text.toLowerCase()).not.toContain('corrected@');
    expect(await undo(made.change)).toMatchObject({ status: 201 });
    expect(await find(before)).toMatchObject([
      { id: member.id, confirmed_at: expect.any(String), mail: { state: 'sending' } },
    ]);
    await expectWhole();
  });

  step('the status link is mailed again, at once, unless mail to the address is off', async () => {
    const member = await join();
    await settleMail(app);
    const sent = async () => {
      const [found] = await find(member.id);
      return found.mail.mails.map(({ kind }: { kind: string }) => kind);
    };
    const made = await change('resend-link', { member_id: member.id });
    expect(made).toMatchObject({ status: 201, undo_until: null });
    expect((await undo(made.change)).detail).toMatch(/has no undo\.$/);
    await settleMail(app);
    expect(await sent()).toEqual(['welcome', 'status-link']);
    await suppress((await statusOf(member.id)).email, 'stopped');
    const refused = await change('resend-link', { member_id: member.id });
    expect(refused.detail).toMatch(/^This address gets no mail \(stopped\): /);
  });

  step('an erased member leaves an id in the log, and nothing for an undo', async () => {
    const member = await join();
    const { email } = await statusOf(member.id);
    const corrected = await change('correct-address', {
      member_id: member.id,
      email: 'before-erasure@example.com',
    });
    const removed = await change('remove-members', { member_ids: [member.id] });
    await settleMail(app);
    const isLog = (table: string) => table === 'public.audit_entry';
    const rest = () => dumpDatabase(app.database, (table) => !isLog(table));
    expect((await rest()).text).toContain('before-erasure@example.com');
    const erased = await change('erase-member', { member: 'Before-Erasure@example.com' });
    expect(erased.summary).toBe('A member who had been removed was erased.');
    const { text } = await rest();
    for (const trace of [member.id, email, 'before-erasure@example.com'])
      expect(text).not.toContain(trace);
    expect((await dumpDatabase(app.database, isLog)).text).toContain(member.id);
    for (const { change: number } of [corrected, removed])
      expect((await undo(number)).detail).toBe(
        `Change ${number} cannot be undone: what it needs is deleted, or was never kept.`,
      );
    expect((await change('erase-member', { member: member.id })).status).toBe(404);
    await expectWhole();
  });

  step('a removed member is forgotten once it is too late for an undo', async () => {
    const member = await join();
    const { change: number } = await change('remove-members', { member_ids: [member.id] });
    await deleteExpiredUndo(app.database);
    const kept = () => app.sql(`select from removed_member where member_id = $1`, [member.id]);
    expect(await kept()).toHaveLength(1);
    await app.sql("update removed_member set until = now() - interval '1 second'");
    await app.sql("update undo_record set until = now() - interval '1 second'");
    await deleteExpiredUndo(app.database);
    expect(await kept()).toHaveLength(0);
    expect(await undo(number)).toMatchObject({ status: 409 });
  });

  step('of operators acting on one member at once one wins', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const member = await join();
      const input = { member_id: member.id, by: 5 };
      const { seen } = await preview('adjust-points', input);
      const address = { member_id: member.id, email: `at-once${round}@example.com` };
      const answers = await Promise.all([
        change('adjust-points', input, { seen }),
        change('adjust-points', { ...input, by: -5 }, { seen }),
        change('correct-address', address, { seen }),
        change('remove-members', { member_ids: [member.id] }, { seen }),
        change('erase-member', { member: member.id }, { seen }),
      ]);
      const won = answers.filter(({ status }) => status === 201);
      expect(won).toHaveLength(1);
      const detail = expect.stringMatching(
        /^(Change \d+ of the same member came|No member in line|Nobody with this id).*\.$/,
      );
      for (const answer of answers.filter((one) => one !== won[0])) {
        expect([404, 409]).toContain(answer.status);
        expect(answer).toMatchObject({ detail });
      }
      await expectWhole();
    }
  });

  if (engine === 'postgres')
    step('an erasure that meets a deadlock over mails is tried again', async () => {
      const { id } = await join();
      await settleMail(app);
      const mails = sql`pgboss.job where (data->>'memberId')::uuid = ${id}::uuid`;
      await sql`
        insert into pgboss.job
        select (jsonb_populate_record(job, jsonb_build_object('id', gen_random_uuid()))).*
        from ${mails}
      `.execute(app.database.kysely);
      const erased = await inTransaction(app.database, async (transaction) => {
        // The erasure locks the first, and waits for the last.
        await sql`select from ${mails} order by ctid desc limit 1 for update`.execute(transaction);
        const erasure = change('erase-member', { member: id });
        await expect.poll(() => countWaiting(transaction)).toBe(1);
        await sql`select from ${mails} for update`.execute(transaction);
        return { erasure };
      });
      expect((await erased.erasure).status).toBe(201);
      await expectWhole();
    });
});

async function countWaiting(transaction: Transaction): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(transaction);
  return rows.length;
}
