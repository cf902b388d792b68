/** What decides about credits: operators over the API, and mail that bounces. */
import { describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import type { App } from '../../server/app.ts';
import { listAudit } from '../../server/changes/changes-store.ts';
import type { Config } from '../../server/config.ts';
import { DECIDED_AT_ONCE } from '../../server/fairness/decide-change.ts';
import { refuseBounced } from '../../server/fairness/refuse-bounced.ts';
import { SHUTTING_DOWN } from '../../server/http/graceful-shutdown.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { linkSuppression, suppressAddress } from '../../server/mail/suppression/store.ts';
import { oneEngine } from '../support/engines.ts';
import { isAll } from '../support/test-form.ts';
import { SECRET_KEY } from './mail-links.ts';
import { provideApp } from './provide-app.ts';

describe.each(oneEngine)('decisions about credits on %s', (engine) => {
  const app = provideApp(engine, { secretKey: SECRET_KEY });
  const { change, undo, sql, statusOf, expectWhole } = app;
  const decide = (input: object, to: App = app) => app.changeOn(to, 'decide-credits', input);
  const preview = (input: object) => app.preview('decide-credits', input);
  const confirm = (memberId: string) => confirmMember(app.database, { memberId });
  const creditOf = async (id?: string) =>
    (await sql('select credit from member where id = $1', [id]))[0]?.credit;
  const countEntries = async () => (await sql('select sequence from audit_head'))[0]?.sequence;
  const goOn = async () => void (await app.run('going on with work'));
  let joined = 0;
  async function join(referredBy?: string) {
    joined += 1;
    const email = `m${joined}@example.com`;
    return { ...(await app.join(email, referredBy)), email };
  }
  async function star(friends: number) {
    const member = await join();
    const ids: string[] = [];
    for (let count = 0; count < friends; count += 1)
      ids.push((await join(member.referral_code)).id);
    return { ...member, friends: ids };
  }

  /** All friends of the code. */
  const all = (code: string) => ({ code, domain: 'example.com' });

  test('friends of a code are held and given again, with what each would move', async () => {
    await join();
    const { id, referral_code: code, friends } = await star(3);
    expect((await statusOf(id)).tier_level).toBe(1);
    const shown = await preview({ state: 'held', ...all(code) });
    expect(shown.sentences).toEqual([
      '3 friends are held for review.',
      expect.stringMatching(/^\d+ positions move, 1 member loses tier 1\.$/),
      'They keep their own places in line.',
      // The member falls to the end of the line, which other tests have made longer.
      ...(joined > brand.maskCount ? ['1 member enters the first 100 and will be mailed.'] : []),
    ]);
    const held = await decide({ state: 'held', ...all(code), expected: shown.counts.credits });
    expect(held.summary).toBe(
      '3 friends were held for review, ' +
        `${shown.counts.moved} positions moved, 1 member loses tier 1.`,
    );
    expect(await statusOf(id)).toMatchObject({ referral_count: 0, tier_level: 0 });
    const given = await decide({ state: 'given', member_ids: friends.slice(0, 1), again: true });
    expect(given.status).toBe(201);
    expect(await statusOf(id)).toMatchObject({ referral_count: 1 });
    expect((await preview({ state: 'given', code, again: true })).counts).toMatchObject({
      credits: 2,
      reached_tier: 1,
    });
    await expectWhole();
  });

  test('an undo brings every credit back, but for those decided since', async () => {
    const { id, referral_code: code, friends } = await star(3);
    const refused = await decide({ state: 'refused', ...all(code) });
    const again = await decide({ state: 'held', member_ids: friends.slice(0, 1), again: true });
    expect((await undo(refused.change)).summary).toBe(
      '2 friends are as before. 1 other has changed since.',
    );
    expect(await statusOf(id)).toMatchObject({ referral_count: 2 });
    expect(await undo(again.change)).toMatchObject({ status: 201 });
    expect(await creditOf(friends[0])).toBe('refused');
    const cases = await sql('select member_id from credit_case where member_id = any($1::uuid[])', [
      friends,
    ]);
    expect(cases).toEqual([{ member_id: friends[0] }]);
    await expectWhole();
  });

  test('of two operators at once one decides, and the other one gets a conflict', async () => {
    const { friends } = await star(1);
    const before = Number(await countEntries());
    const answers = await Promise.all([
      decide({ state: 'refused', member_ids: friends }),
      decide({ state: 'given', member_ids: friends }),
    ]);
    const [made, late] = answers.toSorted((one, other) => one.status - other.status);
    expect([made?.status, late]).toEqual([
      201,
      {
        status: 409,
        detail: expect.stringMatching(
          /^An operator has decided already: the credit for this friend is (given|refused)\.$/,
        ),
      },
    ]);
    expect(await countEntries()).toBe(before + 1);
    await expectWhole();
  });

  test('what one operator decided stays in the decision about its group', async () => {
    const { id, referral_code: code, friends } = await star(4);
    await decide({ state: 'given', member_ids: friends.slice(0, 1) });
    await decide({ state: 'refused', member_ids: friends.slice(1, 2) });
    const made = await decide({ state: 'held', ...all(code) });
    expect(made.summary).toMatch(/^2 friends were held for review, /);
    expect(await Promise.all(friends.map(creditOf))).toEqual(['given', 'refused', 'held', 'held']);
    expect((await decide({ state: 'held', ...all(code) })).status).toBe(409);
    expect(await statusOf(id)).toMatchObject({ referral_count: 1 });
    expect((await undo(made.change)).status).toBe(201);
    expect(await statusOf(id)).toMatchObject({ referral_count: 3 });
    await expectWhole();
  });

  test('a decision stays when the friend confirms, and an undo counts who has', async () => {
    const { id, friends } = await star(2);
    const [one = '', other = ''] = friends;
    await sql(`
      update member set credit = 'pending' where referrer_id = '${id}';
      select rebuild_line()`);
    const refused = await decide({ state: 'refused', member_ids: [other] });
    await decide({ state: 'held', member_ids: [one] });
    for (const memberId of friends) await confirm(memberId);
    expect(await Promise.all(friends.map(creditOf))).toEqual(['held', 'refused']);
    await undo(refused.change);
    expect(await creditOf(other)).toBe('given');
    expect(await statusOf(id)).toMatchObject({ referral_count: 1, confirmed_referrals: 1 });
    await expectWhole();
  });

  test('friends elsewhere stay when those of a domain or a network are held', async () => {
    const { id, referral_code: code, friends } = await star(2);
    for (const domain of ['own.example', 'mail.own.example', 'notown.example'])
      friends.push((await app.join(`friend${joined}@${domain}`, code)).id);
    await sql(
      `insert into join_trace (member_id, network) select id, 7 from unnest($1::uuid[]) id`,
      [[friends[0], friends[4]]],
    );
    const credits = () => Promise.all(friends.map(creditOf));
    await decide({ state: 'held', code, domain: 'own.example' });
    expect(await credits()).toEqual(['given', 'given', 'held', 'held', 'given']);
    await decide({ state: 'refused', code, network_of: friends[4] });
    expect(await credits()).toEqual(['refused', 'given', 'held', 'held', 'refused']);
    await decide({ state: 'given', code, again: true });
    expect(await credits()).toEqual(['given', 'given', 'given', 'given', 'given']);
    expect(await statusOf(id)).toMatchObject({ referral_count: 5 });
    await expectWhole();
  });

  test('an erased friend is in no undo', async () => {
    const { friends } = await star(2);
    const made = await decide({ state: 'held', member_ids: friends });
    await change('erase-member', { member: friends[0] });
    const record = 'select data from undo_record where audit_sequence = $1';
    const rows = await sql(record, [made.change]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(friends[0]);
    expect((await undo(made.change)).summary).toBe('1 friend is as before.');
    await expectWhole();
  });

  test.runIf(isAll)(
    'a decision about many is one change, which any server goes on with',
    async () => {
      const { id, referral_code: code, friends } = await star(DECIDED_AT_ONCE + 2);
      for (const memberId of friends) await confirm(memberId);
      const count = friends.length;
      const held = await decide({ state: 'held', ...all(code), expected: count });
      expect(held).toMatchObject({
        summary: `${count} friends were held for review.`,
        undo_until: expect.any(String),
      });
      expect(await statusOf(id)).toMatchObject({ referral_count: 0 });
      const back = await undo(held.change);
      expect(back.summary).toBe(`${count} friends are as before.`);
      expect(await statusOf(id)).toMatchObject({ referral_count: count });
      expect((await listAudit(app.database, {})).entries.slice(0, 2)).toMatchObject([
        { number: back.change, summary: `The undo of the decision about ${count} friends began.` },
        {
          number: held.change,
          summary: expect.stringMatching(
            `^The decision that ${count} friends are held for review began: \\d+ positions move, `,
          ),
          undo_until: null,
        },
      ]);
      await expectWhole();

      const other = await app.openAnother();
      other.fastify.server.emit(SHUTTING_DOWN);
      const left = await decide({ state: 'held', ...all(code) }, other);
      expect(left).toMatchObject({
        summary: expect.stringMatching(/ It is not done yet, and goes on by itself\.$/),
        undo_until: null,
      });
      await other.close();
      const [decided = ''] = friends;
      await decide({ state: 'refused', member_ids: [decided] });
      expect((await undo(left.change)).detail).toBe(
        `Change ${left.change} is still being made or undone: try again in a moment.`,
      );
      const freeze = { first: 5, domains: ['example.com'] };
      expect(await change('freeze-drop', freeze)).toEqual({
        status: 503,
        detail: `Change ${left.change} is still being made: try again in a moment.`,
      });
      await goOn();
      expect(await statusOf(id)).toMatchObject({ referral_count: 0 });
      expect(await Promise.all(friends.slice(0, 2).map(creditOf))).toEqual(['refused', 'held']);
      await expectWhole();

      expect((await undo(left.change)).summary).toBe(
        `${count - 1} friends are as before. 1 other has changed since.`,
      );
      expect(await statusOf(id)).toMatchObject({ referral_count: count - 1 });
      await expectWhole();
    },
  );

  test.each([
    [{ state: 'given' }, /"code" alone only approves/],
    [{ state: 'held', code: 'ABC' }, /"code" alone only approves/],
    [{ state: 'refused', code: 'ABC' }, /"code" alone only approves/],
    [{ state: 'given', code: 'ABC', member_ids: ['x'] }, /needs either "member_ids"/],
    [{ state: 'pending', code: 'ABC' }, /./],
  ])('%j is refused', async (input, sentence) => {
    expect(await decide(input)).toEqual({ status: 422, detail: expect.stringMatching(sentence) });
  });

  describe('a friend whose mail bounces or is a complaint', () => {
    async function joinFriend() {
      const inviter = await join();
      const friend = await join(inviter.referral_code);
      const isCounted = async () => (await statusOf(inviter.id)).referral_count === 1;
      return { ...friend, isCounted };
    }
    const fail = (identity: string, reason: 'stopped' | 'bounced' | 'complained' = 'bounced') =>
      suppressAddress(app.database, SECRET_KEY, { identity, reason });
    const run = (referralCredit: Config['referralCredit'] = 'settle') =>
      refuseBounced({ database: app.database, brand, config: { referralCredit } });

    test.each(['bounced', 'complained'] as const)(
      'counts no more once it is %s, with one entry in the log',
      async (reason) => {
        const friend = await joinFriend();
        await fail(friend.email, reason);
        expect(await friend.isCounted()).toBe(true);
        await run();
        expect(await friend.isCounted()).toBe(false);
        const entries = await countEntries();
        await run();
        expect(await countEntries()).toEqual(entries);
        expect((await app.read(operatorPaths.changes)).entries[0]).toMatchObject({
          action: 'decide-credits',
          actor: { kind: 'system', name: 'bounces' },
          summary: expect.stringMatching(/^1 friend was refused, \d+ positions? moved\.$/),
          subject: { kind: 'member', id: friend.id },
        });
      },
    );

    test('counts again by a confirmation, also of a corrected address', async () => {
      const [late, corrected] = [await joinFriend(), await joinFriend()];
      for (const { email } of [late, corrected]) await fail(email);
      await run();
      await confirm(late.id);
      expect(await late.isCounted()).toBe(true);
      await change('correct-address', { member_id: corrected.id, email: 'right@example.com' });
      await run();
      expect(await corrected.isCounted()).toBe(false);
      await confirm(corrected.id);
      expect(await corrected.isCounted()).toBe(true);
    });

    test('stays as it is once they confirmed, or an operator decided', async () => {
      const [confirmed, decided, refused] = [
        await joinFriend(),
        await joinFriend(),
        await joinFriend(),
      ];
      await confirm(confirmed.id);
      await decide({ state: 'given', member_ids: [decided.id] });
      for (const { email } of [confirmed, decided, refused]) await fail(email);
      await run();
      expect([await confirmed.isCounted(), await decided.isCounted()]).toEqual([true, true]);
      await decide({ state: 'refused', member_ids: [refused.id] });
      await confirm(refused.id);
      expect(await refused.isCounted()).toBe(false);
    });

    test('stays counted after a confirmation, whatever is undone', async () => {
      const friend = await joinFriend();
      await fail(friend.email);
      await run();
      const made = await decide({ state: 'given', member_ids: [friend.id] });
      await confirm(friend.id);
      expect(await undo(made.change)).toMatchObject({ status: 201 });
      expect(await friend.isCounted()).toBe(true);
    });

    test('does not count where the address bounced before they joined', async () => {
      await fail(`m${joined + 2}@example.com`);
      const friend = await joinFriend();
      await linkSuppression(app.database, SECRET_KEY, { id: friend.id, identity: friend.email });
      await run();
      expect(await friend.isCounted()).toBe(false);
    });

    test('still counts where they only stopped the mails', async () => {
      const [stopped, bounced] = [await joinFriend(), await joinFriend()];
      await fail(stopped.email, 'stopped');
      await fail(bounced.email);
      await run();
      expect([await stopped.isCounted(), await bounced.isCounted()]).toEqual([true, false]);
      await fail(stopped.email);
      await run('confirm');
      expect(await stopped.isCounted()).toBe(false);
    });
  });
});
