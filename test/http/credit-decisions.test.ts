/** What operators decide about credits, over the API, on both engines. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { verifyAudit } from '../../server/access/audit/verify-audit.ts';
import type { App } from '../../server/app.ts';
import { listAudit } from '../../server/changes/changes-store.ts';
import { DECIDED_AT_ONCE } from '../../server/fairness/decide-change.ts';
import { SHUTTING_DOWN } from '../../server/http/graceful-shutdown.ts';
import { confirmMember } from '../../server/line/change-member.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { oneEngine } from '../support/engines.ts';
import { moveClock } from '../support/moved-clock.ts';
import { isAll } from '../support/test-form.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

describe.each(oneEngine)('decisions about credits on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  const post = (url: string, payload: object, to: App = app) =>
    to.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
  const decide = (input: object, to: App = app) =>
    post(operatorPaths.changes, { kind: 'decide-credits', input, reason: 'a test' }, to);
  const preview = async (input: object) =>
    (await post(operatorPaths.previewChange, { kind: 'decide-credits', input })).json();
  const undo = (number: number) =>
    post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' });
  const status = async (id: string) =>
    (await app.fastify.inject(fillPath(apiPaths.status, id))).json();
  const creditOf = async (id: string) =>
    (
      await app.database.kysely
        .selectFrom('member')
        .select('credit')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).credit;
  async function readHead(): Promise<number> {
    const { rows } = await app.database.runSql<{ sequence: number }>('select * from audit_head');
    return rows[0]?.sequence ?? 0;
  }

  async function expectWhole(): Promise<void> {
    expect((await verifyLine(app.database)).differences).toEqual([]);
    expect((await verifyAudit(app.database)).difference).toBeNull();
  }
  const goOn = async () => {
    await app.scheduledWork.find(({ name }) => name === 'going on with long changes')?.run();
  };
  let joined = 0;
  async function join(referredBy?: string) {
    joined += 1;
    return await app.join(`m${joined}@example.com`, referredBy);
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
    expect((await status(id)).tier_level).toBe(1);
    const shown = await preview({ state: 'held', ...all(code) });
    expect(shown.sentences).toEqual([
      '3 friends are held for review.',
      expect.stringMatching(/^\d+ positions move, 1 member loses tier 1\.$/),
      'They keep their own places in line.',
      // The member falls to the end of the line, which other tests have made longer.
      ...(joined > brand.maskCount ? ['1 member enters the first 100 and will be mailed.'] : []),
    ]);
    const held = await decide({ state: 'held', ...all(code), expected: shown.counts.credits });
    expect(held.json().summary).toBe(
      '3 friends were held for review, ' +
        `${shown.counts.moved} positions moved, 1 member loses tier 1.`,
    );
    expect(await status(id)).toMatchObject({ referral_count: 0, tier_level: 0 });
    const given = await decide({ state: 'given', member_ids: friends.slice(0, 1), again: true });
    expect(given.statusCode).toBe(201);
    expect(await status(id)).toMatchObject({ referral_count: 1 });
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
    expect((await undo(refused.json().change)).json().summary).toBe(
      '2 friends are as before. 1 other has changed since.',
    );
    expect(await status(id)).toMatchObject({ referral_count: 2 });
    expect((await undo(again.json().change)).statusCode).toBe(201);
    expect(await creditOf(friends[0] ?? '')).toBe('refused');
    const cases = await app.database.kysely
      .selectFrom('credit_case')
      .select('member_id')
      .where('member_id', 'in', friends)
      .execute();
    expect(cases.map(({ member_id }) => member_id)).toEqual([friends[0]]);
    await expectWhole();
  });

  test('of two operators at once one decides, and the other one gets a conflict', async () => {
    const { friends } = await star(1);
    const before = await readHead();
    const answers = await Promise.all([
      decide({ state: 'refused', member_ids: friends }),
      decide({ state: 'given', member_ids: friends }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    const late = answers.find(({ statusCode }) => statusCode === 409)?.json().detail;
    expect(late).toMatch(
      /^An operator has decided already: the credit for this friend is (given|refused)\.$/,
    );
    const after = await readHead();
    expect(after).toBe(before + 1);
    await expectWhole();
  });

  test('what one operator decided stays in the decision about its group', async () => {
    const { id, referral_code: code, friends } = await star(4);
    await decide({ state: 'given', member_ids: friends.slice(0, 1) });
    await decide({ state: 'refused', member_ids: friends.slice(1, 2) });
    const made = await decide({ state: 'held', ...all(code) });
    expect(made.json().summary).toMatch(/^2 friends were held for review, /);
    expect(await Promise.all(friends.map(creditOf))).toEqual(['given', 'refused', 'held', 'held']);
    expect((await decide({ state: 'held', ...all(code) })).statusCode).toBe(409);
    expect(await status(id)).toMatchObject({ referral_count: 1 });
    expect((await undo(made.json().change)).statusCode).toBe(201);
    expect(await status(id)).toMatchObject({ referral_count: 3 });
    await expectWhole();
  });

  test('a decision stays when the friend confirms, and an undo counts who has', async () => {
    const { id, friends } = await star(2);
    const [one = '', other = ''] = friends;
    await app.database.runSql(`
      update member set credit = 'pending' where referrer_id = '${id}';
      select rebuild_line()`);
    const refused = await decide({ state: 'refused', member_ids: [other] });
    await decide({ state: 'held', member_ids: [one] });
    for (const memberId of friends) await confirmMember(app.database, { memberId });
    expect(await Promise.all(friends.map(creditOf))).toEqual(['held', 'refused']);
    await undo(refused.json().change);
    expect(await creditOf(other)).toBe('given');
    expect(await status(id)).toMatchObject({ referral_count: 1, confirmed_referrals: 1 });
    await expectWhole();
  });

  test('friends elsewhere stay when those of a domain or a network are held', async () => {
    const { id, referral_code: code, friends } = await star(2);
    for (const domain of ['own.example', 'mail.own.example', 'notown.example'])
      friends.push((await app.join(`friend${joined}@${domain}`, code)).id);
    await app.database.runSql(
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
    expect(await status(id)).toMatchObject({ referral_count: 5 });
    await expectWhole();
  });

  test('an erased friend is in no undo', async () => {
    const { friends } = await star(2);
    const made = await decide({ state: 'held', member_ids: friends });
    await post(operatorPaths.changes, {
      kind: 'erase-member',
      input: { member: friends[0] },
      reason: 'asked to',
    });
    const { rows } = await app.database.runSql(
      'select data from undo_record where audit_sequence = $1',
      [made.json().change],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(friends[0]);
    expect((await undo(made.json().change)).json().summary).toBe('1 friend is as before.');
    await expectWhole();
  });

  test.runIf(isAll)(
    'a decision about many is one change, which any server goes on with',
    async () => {
      const { id, referral_code: code, friends } = await star(DECIDED_AT_ONCE + 2);
      for (const memberId of friends) await confirmMember(app.database, { memberId });
      const count = friends.length;
      const held = (await decide({ state: 'held', ...all(code), expected: count })).json();
      expect(held).toMatchObject({
        summary: `${count} friends were held for review.`,
        undo_until: expect.any(String),
      });
      expect(await status(id)).toMatchObject({ referral_count: 0 });
      const back = (await undo(held.change)).json();
      expect(back.summary).toBe(`${count} friends are as before.`);
      expect(await status(id)).toMatchObject({ referral_count: count });
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
      const left = (await decide({ state: 'held', ...all(code) }, other)).json();
      expect(left).toMatchObject({
        summary: expect.stringMatching(/ It is not done yet, and goes on by itself\.$/),
        undo_until: null,
      });
      await other.close();
      const [decided = ''] = friends;
      await decide({ state: 'refused', member_ids: [decided] });
      expect((await undo(left.change)).json().detail).toBe(
        `Change ${left.change} is still being made or undone: try again in a moment.`,
      );
      const freeze = {
        kind: 'freeze-drop',
        input: { first: 5, domains: ['example.com'] },
        reason: 'a test',
      };
      const frozen = await post(operatorPaths.changes, freeze);
      expect([frozen.statusCode, frozen.json().detail]).toEqual([
        503,
        `Change ${left.change} is still being made: try again in a moment.`,
      ]);
      await goOn();
      expect(await status(id)).toMatchObject({ referral_count: count - 1 });
      moveClock(60_000);
      try {
        await goOn();
        expect(await status(id)).toMatchObject({ referral_count: 0 });
        await app.database.runSql(
          `update undo_record set until = 'infinity' where audit_sequence = ${left.change}`,
        );
        await goOn();
      } finally {
        moveClock(0);
      }
      expect(await Promise.all(friends.slice(0, 2).map(creditOf))).toEqual(['refused', 'held']);
      await expectWhole();

      expect((await undo(left.change)).json().summary).toBe(
        `${count - 1} friends are as before. 1 other has changed since.`,
      );
      expect(await status(id)).toMatchObject({ referral_count: count - 1 });
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
    const answer = await decide(input);
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      expect.stringMatching(sentence),
    ]);
  });
});
