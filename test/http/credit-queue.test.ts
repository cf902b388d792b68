/** The queue of held credits, and what is decided from it beside single credits, over the API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CreditState } from '../../contract/member-states.ts';
import type { CreditQueue, HeldCredits } from '../../contract/operator/credits/credits.ts';
import type { MemberSheet } from '../../contract/operator/member-sheet.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { planDecision } from '../../server/line/credits/credit-store.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };
/** More than a page has, of codes and of credits. */
const MANY_CODES = 33;
const MANY_FRIENDS = 54;

describe.each(oneEngine)('the queue of held credits on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine);
  });
  afterAll(() => app.remove());

  const get = async <T>(path: string): Promise<T> => {
    const answer = await app.fastify.inject({ url: path, headers: HEADERS });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  const post = (url: string, payload: object) =>
    app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
  const change = (kind: string, input: object) =>
    post(operatorPaths.changes, { kind, input, reason: 'a test' });
  const preview = (kind: string, input: object) =>
    post(operatorPaths.previewChange, { kind, input });
  const undo = (number: number) =>
    post(fillPath(operatorPaths.undoChange, String(number)), { reason: 'a mistake' });
  const queue = (query = '') => get<CreditQueue>(operatorPaths.credits + query);
  const heldOf = (id: string, query = '') =>
    get<HeldCredits>(fillPath(operatorPaths.creditsOfCode, id) + query);
  const creditOf = async (id: string) =>
    (await get<{ member: { credit: string } }>(fillPath(operatorPaths.member, id))).member.credit;

  let joined = 0;
  async function join(referredBy?: string) {
    joined += 1;
    return await app.join(`m${joined}@example.com`, referredBy);
  }
  async function star(friends: number) {
    const member = await join();
    const ids = await Promise.all(
      Array.from({ length: friends }, async () => (await join(member.referral_code)).id),
    );
    return { ...member, friends: ids };
  }
  /** As a join with a fraud signals leaves them. */
  async function hold(ids: readonly string[], rules: readonly string[]): Promise<void> {
    const list = ids.map((id) => `'${id}'`).join();
    await app.database.runSql(`
      update member set credit = 'held' where id in (${list});
      insert into credit_case (member_id, rules, score, holds)
        select id, '{${rules.join()}}', 120, true from member where id in (${list});
      select rebuild_line()`);
  }
  /** As joins from these networks leave them. */
  async function trace(networks: Readonly<Record<string, number>>): Promise<void> {
    const rows = Object.entries(networks).map(([id, hash]) => `('${id}', 1, 1, ${hash}, 0, 0, 0)`);
    await app.database.runSql(`insert into join_trace values ${rows.join()}`);
  }

  test('without a held credit nothing waits', async () => {
    expect(await queue()).toEqual({ groups: [], next: null });
    expect(await get(operatorPaths.waitingCredits)).toEqual({
      credits: 0,
      codes: 0,
      codes_on_hold: 0,
      second_looks: 0,
    });
    expect(await get(operatorPaths.creditKinds)).toMatchObject({
      rules: [],
      disposable_list: { published_at: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) },
    });
  });

  test('codes are in order of their held credits, with reasons, counts and a filter', async () => {
    const small = await star(1);
    const large = await star(4);
    await hold(small.friends, ['disposable']);
    await hold(large.friends.slice(0, 3), ['few-networks', 'no-page']);
    await change('decide-credits', { state: 'refused', member_ids: large.friends.slice(0, 1) });
    await app.database.runSql('insert into second_look (member_id) values ($1)', [small.id]);

    const { groups } = await queue();
    expect(groups).toMatchObject([
      {
        referrer: { id: large.id, referral_code: large.referral_code },
        held: 2,
        friends: { pending: 0, held: 2, given: 1, refused: 1 },
        rules: [
          { rule: 'few-networks', credits: 2 },
          { rule: 'no-page', credits: 2 },
        ],
        is_on_hold: false,
        second_look_at: null,
      },
      { referrer: { id: small.id }, held: 1, second_look_at: expect.stringMatching(/Z$/) },
    ]);
    expect((await queue('?rule=disposable')).groups).toEqual([groups[1]]);
    expect((await queue('?second_look=asked')).groups).toEqual([groups[1]]);
    expect((await queue('?rule=few-networks&second_look=asked')).groups).toEqual([]);
    expect(await get(operatorPaths.waitingCredits)).toEqual({
      credits: 3,
      codes: 2,
      codes_on_hold: 0,
      second_looks: 1,
    });
    expect((await heldOf(large.id)).credits).toMatchObject(
      large.friends
        .slice(1, 3)
        .map((id) => ({ id, score: 120, held_by: 'join', network: 'gone', credit: 'held' })),
    );

    await change('decide-credits', { state: 'given', code: small.referral_code });
    expect((await queue()).groups).toMatchObject([{ referrer: { id: large.id } }]);
    expect(await get(operatorPaths.waitingCredits)).toMatchObject({ second_looks: 0 });
    await change('decide-credits', { state: 'refused', rule: 'few-networks' });
    expect(await queue()).toEqual({ groups: [], next: null });
  });

  test('pages have every code and every credit once', async () => {
    const stars = await Promise.all(Array.from({ length: MANY_CODES }, () => star(1)));
    const large = await star(MANY_FRIENDS);
    await hold(
      [...stars, large].flatMap(({ friends }) => friends),
      ['few-networks'],
    );
    const first = await queue('?rule=few-networks');
    const second = await queue(`?rule=few-networks&after=${first.next}`);
    expect(second.next).toBeNull();
    const ids = [...first.groups, ...second.groups].map(({ referrer }) => referrer.id);
    expect(ids).toEqual([large.id, ...stars.map(({ id }) => id).toSorted()]);
    const credits = await heldOf(large.id);
    const more = await heldOf(large.id, `?after=${credits.next}`);
    expect(more.next).toBeNull();
    expect([...credits.credits, ...more.credits].map(({ id }) => id).toSorted()).toEqual(
      large.friends.toSorted(),
    );
    const odd = await app.fastify.inject({
      url: `${operatorPaths.credits}?after=x`,
      headers: HEADERS,
    });
    expect([odd.statusCode, odd.json().detail]).toEqual([422, expect.stringMatching(/"after"/)]);
    await change('decide-credits', { state: 'given', rule: 'few-networks' });
  });

  test('all further credits of a code are held, until that is undone or released', async () => {
    const { id, referral_code: code } = await star(0);
    const held = await change('hold-code', { code });
    expect(held.json().summary).toBe(`Every new friend of ${code} is held for review.`);
    expect(await creditOf((await join(code)).id)).toBe('held');
    expect((await queue()).groups).toMatchObject([{ is_on_hold: true }]);
    const again = await change('hold-code', { code });
    expect([again.statusCode, again.json().detail]).toEqual([
      409,
      `Every new friend of ${code} is held for review already.`,
    ]);
    await undo(held.json().change);
    expect(await creditOf((await join(code)).id)).toBe('given');
    expect((await change('release-code', { code })).statusCode).toBe(409);

    await change('hold-code', { code });
    const released = await change('release-code', { code });
    expect(await creditOf((await join(code)).id)).toBe('given');
    expect((await undo(released.json().change)).json().summary).toContain('held for review again');
    expect(await creditOf((await join(code)).id)).toBe('held');
    expect((await change('hold-code', { code: 'NOBODYSCODE' })).statusCode).toBe(404);
    await change('decide-credits', { state: 'given', code });
    await change('release-code', { code });
    expect((await heldOf(id)).credits).toEqual([]);
  });

  test('a code on hold is listed until it is released, whatever was decided', async () => {
    const { id, referral_code: code } = await star(0);
    const other = await star(1);
    const held = async (query = '') =>
      (await queue(query)).groups.filter(({ referrer }) => referrer.id === id);
    const since = async () =>
      (await get<MemberSheet>(fillPath(operatorPaths.member, id))).code_held_since;
    expect([await held(), await since()]).toEqual([[], null]);
    await change('hold-code', { code });
    const on = { is_on_hold: true, held: 0, score: 0, rules: [] };
    expect(await held()).toMatchObject([{ ...on, since: await since() }]);
    await hold(other.friends, ['ring']);
    expect((await queue()).groups).toMatchObject([
      { referrer: { id: other.id }, score: 120 },
      { referrer: { id } },
    ]);
    expect((await queue('?on_hold=yes')).groups).toMatchObject([{ referrer: { id } }]);
    expect(await held('?rule=ring')).toEqual([]);

    await join(code);
    expect(await held()).toMatchObject([{ ...on, held: 1, rules: [{ rule: 'code-on-hold' }] }]);
    await change('decide-credits', { state: 'given', code });
    expect(await held()).toMatchObject([on]);
    expect(await held('?on_hold=yes')).toMatchObject([on]);
    expect(await get(operatorPaths.waitingCredits)).toMatchObject({ codes: 1, codes_on_hold: 1 });
    await change('release-code', { code });
    expect([await held(), await since()]).toEqual([[], null]);
    await change('decide-credits', { state: 'given', rule: 'ring' });
  });

  test('a preview says what speaks against the friends that would be approved', async () => {
    const { friends } = await star(3);
    await hold(friends.slice(0, 2), ['ring']);
    await change('decide-credits', { state: 'held', member_ids: friends.slice(2) });
    const sentences = async (state: string) =>
      (await preview('decide-credits', { state, member_ids: friends, again: true })).json()
        .sentences;
    expect(await sentences('given')).toContain(
      'Something unusual was found about 2 friends: scores up to 120.',
    );
    expect((await sentences('refused')).join()).not.toContain('unusual');
    await change('decide-credits', { state: 'refused', member_ids: friends, again: true });
  });

  test('a network is trusted by a friend, its held credits apart, while it is known', async () => {
    const { id, friends } = await star(4);
    const [one = '', two = '', other = '', traceless = ''] = friends;
    await hold(friends, ['same-network']);
    await trace({ [one]: 7, [two]: 7, [other]: 8 });
    const shown = (await preview('trust-network', { member_id: one })).json();
    expect(shown.counts).toEqual({ held: 2 });
    expect(shown.sentences[1]).toBe(
      '2 friends from there wait as before: decide about them apart.',
    );
    const trusted = await change('trust-network', { member_id: one });
    const networks = async () =>
      new Map((await heldOf(id)).credits.map((credit) => [credit.id, credit.network]));
    expect(await networks()).toEqual(
      new Map([
        [one, 'trusted'],
        [two, 'trusted'],
        [other, 'known'],
        [traceless, 'gone'],
      ]),
    );
    expect((await change('trust-network', { member_id: two })).json().detail).toMatch(/already/);
    await undo(trusted.json().change);
    expect((await change('distrust-network', { member_id: two })).json().detail).toMatch(/is not/);
    await change('trust-network', { member_id: two });
    expect((await change('distrust-network', { member_id: one })).statusCode).toBe(201);
    expect([...(await networks()).values()]).not.toContain('trusted');

    const gone = await preview('trust-network', { member_id: traceless });
    expect([gone.statusCode, gone.json().detail]).toEqual([409, expect.stringMatching(/30 days/)]);
    const given = await change('decide-credits', { state: 'given', network_of: one });
    expect(given.json().summary).toMatch(/^2 friends were approved, /);
    expect([...(await networks()).keys()]).toEqual([other, traceless]);
    expect((await change('decide-credits', { state: 'given', network_of: one })).statusCode).toBe(
      409,
    );
    await change('decide-credits', { state: 'refused', rule: 'same-network' });
  });

  test('what was held by an operator waits for a decision like the others', async () => {
    const { id, referral_code: code, friends } = await star(2);
    await change('decide-credits', { state: 'held', member_ids: friends });
    expect((await heldOf(id)).credits).toMatchObject([
      { held_by: 'operator' },
      { held_by: 'operator' },
    ]);
    const answers = await Promise.all([
      change('decide-credits', { state: 'given', code, again: true }),
      change('decide-credits', { state: 'refused', code, again: true }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json().detail).toMatch(
      /none waits for a decision any more/,
    );
    expect((await heldOf(id)).credits).toEqual([]);
  });

  test('what somebody decided since friends were found by their state stays', async () => {
    const { friends: friendIds } = await star(2);
    const decision = { state: 'refused', needsConfirmation: false, alsoDecided: true } as const;
    const decided = async (states: readonly CreditState[]) =>
      (await planDecision(app.database.kysely, { ...decision, friendIds, states })).decided.length;
    await change('decide-credits', { state: 'held', member_ids: friendIds });
    expect(await decided(['held'])).toBe(2);
    await change('decide-credits', { state: 'given', member_ids: friendIds, again: true });
    expect(await decided(['held'])).toBe(0);
    expect(await decided(['given'])).toBe(2);
  });
});
