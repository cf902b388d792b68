/** What operators change about members, over the API, with real concurrency, on both engines. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/access/audit/verify-audit.ts';
import { inTransaction, type Transaction } from '../../server/db/transaction.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { loadSecretKey } from '../../server/mail/secret-key.ts';
import { suppressAddress } from '../../server/mail/suppression/store.ts';
import { deleteExpiredUndo } from '../../server/members/changes/removal-change.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { settleMail } from './mail-links.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
/** The member's row and all that a removal has to bring back. */
const LINE_TABLES = [
  ...['member', 'standing', 'count_node', 'referral_tally', 'notification_state'],
  ...['status_link_sent', 'top100_notified', 'member_note', 'mail_suppression'],
].map((name) => `public.${name}`);

describe.each(oneEngine)('changes of members on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  const post = (url: string, payload: object) =>
    app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
  const change = (kind: string, input: object, more: object = {}) =>
    post(operatorPaths.changes, { kind, input, reason: 'a test', ...more });
  const preview = async (kind: string, input: object) =>
    (await post(operatorPaths.previewChange, { kind, input })).json();
  const undo = (number: number) =>
    post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' });
  const status = async (id: string) =>
    (await app.fastify.inject(fillPath(apiPaths.status, id))).json();
  const dumpLine = async () =>
    (await dumpDatabase(app.database, (table) => LINE_TABLES.includes(table))).text;
  async function expectWhole(): Promise<void> {
    expect((await verifyLine(app.database)).differences).toEqual([]);
    expect((await verifyAudit(app.database)).difference).toBeNull();
  }
  async function countWaiting(transaction: Transaction): Promise<number> {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(transaction);
    return rows.length;
  }
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
    expect(made.json().summary).toBe('1 member was removed, 1 credit taken back.');
    expect((await status(ada.id)).referral_count).toBe(0);
    expect((await app.fastify.inject(fillPath(apiPaths.status, grace.id))).statusCode).toBe(404);
    await expectWhole();
    const late = await join();
    expect((await undo(made.json().change)).json().summary).toBe('1 member came back.');
    await expectWhole();
    expect((await change('erase-member', { member: late.id })).statusCode).toBe(201);
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
    const more = await change('remove-members', { ...input, expected: shown.counts.members });
    expect([more.statusCode, more.json().detail]).toEqual([
      409,
      '4 members match by now, and not 3: look at the preview again.',
    ]);
    const made = await change('remove-members', { ...input, expected: 4 });
    expect(made.json().summary).toBe(
      '4 members were removed, 3 credits taken back, 1 member loses tier 1.',
    );
    expect((await status(star.id)).tier_level).toBe(0);
    await app.join('bot1@spam.example');
    expect((await undo(made.json().change)).json().summary).toBe(
      '3 members came back. 1 other is in line again with the same address.',
    );
    expect((await status(star.id)).referral_count).toBe(2);
    await expectWhole();
    const none = await change('remove-members', { filter: { text: 'nobody-has-this' } });
    expect(none.json().detail).toBe('No member in line matches.');
  });

  step('points move a member, not their tier, and are taken back', async () => {
    const [first, second, third] = [await join(), await join(), await join()];
    const of = async (id: string) => (await status(id)).position as number;
    const before = [await of(first.id), await of(second.id), await of(third.id)];
    const made = await change('adjust-points', { member_id: third.id, by: 3 });
    expect(made.json().summary).toBe('A member got 3 points.');
    expect(await status(third.id)).toMatchObject({ referral_count: 0, tier_level: 0 });
    expect(await of(third.id)).toBeLessThan(before[0] ?? 0);
    expect(await of(first.id)).toBe((before[0] ?? 0) + 1);
    await expectWhole();
    const found = await post(operatorPaths.findMembers, { text: third.id });
    expect(found.json().members).toMatchObject([{ points: 3, point_adjustment: 3 }]);
    expect((await undo(made.json().change)).statusCode).toBe(201);
    expect([await of(first.id), await of(second.id), await of(third.id)]).toEqual(before);
    const refused = await change('adjust-points', { member_id: third.id, by: 0 });
    expect(refused.statusCode).toBe(422);
    await change('adjust-points', { member_id: third.id, by: 9_000 });
    const tooMany = await change('adjust-points', { member_id: third.id, by: 1_001 });
    expect([tooMany.statusCode, tooMany.json().detail]).toEqual([
      409,
      expect.stringMatching(/^This member was given 9000 points before, .*\.$/),
    ]);
    await expectWhole();
  });

  step('an address is corrected by the rules of a join, and comes back with an undo', async () => {
    const member = await join();
    await confirmMember(app.database, { memberId: member.id });
    const other = await join();
    const { email: taken } = await status(other.id);
    const input = { member_id: member.id, email: 'Corrected@Example.com' };
    const secretKey = await loadSecretKey(app.config, app.database);
    await suppressAddress(app.database, secretKey, {
      identity: 'corrected@example.com',
      reason: 'bounced',
    });
    const before = (await status(member.id)).email;
    expect((await preview('correct-address', input)).sentences).toEqual([
      `The address ${before} becomes Corrected@Example.com.`,
      'It is not confirmed any more. Credits stay.',
      'Links in mails to the address before stop working.',
      'The new address gets no mail: bounced.',
    ]);
    for (const [email, statusCode, detail] of [
      [taken.toUpperCase(), 409, 'Another member has this address.'],
      [before, 409, 'The member has this address already.'],
      ['nobody', 422, 'This does not look like an email address. Please check it.'],
    ] as const) {
      const refused = await change('correct-address', { member_id: member.id, email });
      expect([refused.statusCode, refused.json().detail]).toEqual([statusCode, detail]);
    }
    const made = await change('correct-address', input);
    expect(made.json().summary).toBe('The address of a member was corrected.');
    const find = async (text: string) =>
      (await post(operatorPaths.findMembers, { text })).json().members;
    expect(await find('corrected@example.com')).toMatchObject([
      { id: member.id, confirmed_at: null, mail: { state: 'bounced' } },
    ]);
    expect(await find(before)).toEqual([]);
    const log = await dumpDatabase(app.database, (table) => table === 'public.audit_entry');
    expect(log.text.toLowerCase()).not.toContain('corrected@');
    expect((await undo(made.json().change)).statusCode).toBe(201);
    expect(await find(before)).toMatchObject([
      { id: member.id, confirmed_at: expect.any(String), mail: { state: 'sending' } },
    ]);
    await expectWhole();
  });

  step('the status link is mailed again, at once, unless mail to the address is off', async () => {
    const member = await join();
    await settleMail(app);
    const sent = async () => {
      const { members } = (await post(operatorPaths.findMembers, { text: member.id })).json();
      return members[0].mail.mails.map(({ kind }: { kind: string }) => kind);
    };
    const made = await change('resend-link', { member_id: member.id });
    expect([made.statusCode, made.json().undo_until]).toEqual([201, null]);
    expect((await undo(made.json().change)).json().detail).toMatch(/has no undo\.$/);
    await settleMail(app);
    expect(await sent()).toEqual(['welcome', 'status-link']);
    const secretKey = await loadSecretKey(app.config, app.database);
    const { email: identity } = await status(member.id);
    await suppressAddress(app.database, secretKey, { identity, reason: 'stopped' });
    const refused = await change('resend-link', { member_id: member.id });
    expect(refused.json().detail).toMatch(/^This address gets no mail \(stopped\): /);
  });

  step('an erased member leaves an id in the log, and nothing for an undo', async () => {
    const member = await join();
    const { email } = await status(member.id);
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
    expect(erased.json().summary).toBe('A member who had been removed was erased.');
    const { text } = await rest();
    for (const trace of [member.id, email, 'before-erasure@example.com'])
      expect(text).not.toContain(trace);
    expect((await dumpDatabase(app.database, isLog)).text).toContain(member.id);
    for (const { change: number } of [corrected.json(), removed.json()])
      expect((await undo(number)).json().detail).toBe(
        `Change ${number} cannot be undone: what it needs is deleted, or was never kept.`,
      );
    expect((await change('erase-member', { member: member.id })).statusCode).toBe(404);
    await expectWhole();
  });

  step('a removed member is forgotten once it is too late for an undo', async () => {
    const member = await join();
    const { change: number } = (await change('remove-members', { member_ids: [member.id] })).json();
    await deleteExpiredUndo(app.database);
    const kept = () =>
      app.database.runSql(`select from removed_member where member_id = $1`, [member.id]);
    expect((await kept()).rows).toHaveLength(1);
    await app.database.runSql("update removed_member set until = now() - interval '1 second'");
    await app.database.runSql("update undo_record set until = now() - interval '1 second'");
    await deleteExpiredUndo(app.database);
    expect((await kept()).rows).toHaveLength(0);
    expect((await undo(number)).statusCode).toBe(409);
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
      const won = answers.filter(({ statusCode }) => statusCode === 201);
      expect(won).toHaveLength(1);
      for (const answer of answers.filter((one) => one !== won[0])) {
        expect([404, 409]).toContain(answer.statusCode);
        expect(answer.json().detail).toMatch(
          /^(Change \d+ of the same member came|No member in line|Nobody with this id).*\.$/,
        );
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
      expect((await erased.erasure).statusCode).toBe(201);
      await expectWhole();
    });

  step('removals, undos, points and joins at once leave an exact line', async () => {
    const star = await join();
    const members = [];
    for (let count = 0; count < 12; count += 1) members.push(await join(star.referral_code));
    const removals = members
      .slice(0, 4)
      .map(({ id }) => change('remove-members', { member_ids: [id] }));
    const points = members.map(({ id }, by) =>
      change('adjust-points', { member_id: id, by: by + 1 }),
    );
    const joins = Array.from({ length: 30 }, () => join(star.referral_code));
    const made = await Promise.all([
      ...removals,
      ...points,
      ...joins.map(async (one) => void (await one)),
    ]);
    const changes = made.flatMap((answer) => answer ?? []);
    for (const { statusCode } of changes) expect([201, 404]).toContain(statusCode);
    await expectWhole();
    const undone = await Promise.all(
      changes.slice(0, 4).map((answer) => undo(answer.json().change)),
    );
    for (const { statusCode } of undone) expect(statusCode).toBe(201);
    expect(await status(star.id)).toMatchObject({ referral_count: 10, joined_referrals: 42 });
    await expectWhole();
  });
});
