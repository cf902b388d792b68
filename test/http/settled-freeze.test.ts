/** A frozen line counts friends who have confirmed, whatever the line showed before. */
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { seedRandom } from '../../brand/art/seeded-random.ts';
import { ticketOf } from '../../contract/drop/draw-hash-rules.ts';
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { inTransaction, inUndoneTransaction, lock } from '../../server/db/transaction.ts';
import { getDrop } from '../../server/drop/drop-store.ts';
import { readEntrants, readFirst } from '../../server/drop/entrant-store.ts';
import { openFreezeDrop } from '../../server/drop/steps/freeze.ts';
import { confirmMember, removeMember } from '../../server/line/change-member.ts';
import { sortKey } from '../../server/line/line-rules.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { isAll } from '../support/test-form.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const HEADERS = { authorization: `Bearer ${OPERATOR_TOKEN}` };

async function joinWith(app: TestApp, name: string, friends: number, confirmed: number) {
  const member = await app.join(`${name}@example.com`);
  await confirmMember(app.database, { memberId: member.id });
  for (let number = 0; number < friends; number += 1) {
    const friend = await app.join(`${name}.${number}@example.org`, member.referral_code);
    if (number < confirmed) await confirmMember(app.database, { memberId: friend.id });
  }
  return member;
}

const statusOf = async (app: TestApp, id: string) =>
  (await app.fastify.inject(fillPath(apiPaths.status, id))).json();

describe.each(oneEngine)('a line whose credits settle on %s', (engine) => {
  let app: TestApp;
  const post = async (url: string, payload: object) => {
    const answer = await app.fastify.inject({ method: 'POST', url, payload, headers: HEADERS });
    return { status: answer.statusCode, ...answer.json() };
  };
  const freeze = { kind: 'freeze-drop', input: { first: 2 } };
  beforeAll(async () => {
    app = await openTestApp(engine, { referralCredit: 'settle' });
    await joinWith(app, 'loud', 3, 0);
    await joinWith(app, 'quiet', 2, 2);
    await joinWith(app, 'between', 3, 1);
  });
  afterAll(() => app.remove());

  const step = tellStory('goes through one step after the other');

  step('shows friends who joined at once, and how many have confirmed', async () => {
    const member = await joinWith(app, 'shown', 2, 1);
    expect(await statusOf(app, member.id)).toMatchObject({
      referral_count: 2,
      joined_referrals: 2,
      confirmed_referrals: 1,
      settled_referrals: 1,
      is_confirmed: true,
    });
  });

  step('says before it is frozen who that moves', async () => {
    const { sentences } = await post(operatorPaths.previewChange, freeze);
    expect(sentences).toEqual(
      expect.arrayContaining([
        'Only members and friends who have confirmed their address count.',
        'The list has 5 friends, 3 confirmed, 3 count: 2 positions differ from the line.',
        'Moved into the list: quiet@example.com.',
        'Moved out of the list: loud@example.com.',
        'The site has not shown a time for this: members did not know when friends must confirm.',
      ]),
    );
  });

  step('says before it is frozen earlier than the site says', async () => {
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const change = (kind: string, input: object) =>
      post(operatorPaths.changes, { kind, input, reason: 'planned' });
    const step = { 'freeze-drop': { first: 2 } };
    await change('schedule-step', { step, at, time_zone: 'UTC' });
    await change('publish-schedule', { is_public: true });
    const { sentences } = await post(operatorPaths.previewChange, freeze);
    expect(sentences.at(-1)).toMatch(
      /^The site says it is on .*: friends who confirm between now and/,
    );
    await change('unschedule-step', { step: 'freeze-drop' });
  });

  step('shows operators who has confirmed friends, and how many at the top have not', async () => {
    const get = async (url: string) => (await app.fastify.inject({ url, headers: HEADERS })).json();
    const { members } = await post(operatorPaths.listMembers, { sort: 'referrals', limit: 2 });
    expect(
      members.map((one: Member) => [one.referral_count, one.confirmed_referrals]).toSorted(),
    ).toEqual([
      [3, 0],
      [3, 1],
    ]);
    const before = (await get(operatorPaths.overviewHealth)).top;
    await joinWith(app, 'counted', 2, 1);
    const other = await app.openAnother();
    const answer = await other.fastify.inject({
      url: operatorPaths.overviewHealth,
      headers: HEADERS,
    });
    await other.close();
    expect(answer.json().top).toEqual({
      members: before.members + 3,
      friends: before.friends + 2,
      unconfirmed: before.unconfirmed + 1,
    });
  });

  step('is frozen in the order of confirmed friends', async () => {
    expect(await post(operatorPaths.changes, { ...freeze, reason: 'now' })).toMatchObject({
      status: 201,
    });
    const record = (await app.fastify.inject(fillPath(apiPaths.draw, 1))).json() as DrawRecord;
    expect(record.entrants.map(({ points }) => points)).toEqual([4, 2]);
  });
});

describe.each(oneEngine)('the first of a settled line on %s', (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp(engine, { referralCredit: 'settle' });
  });
  afterAll(() => app.remove());

  test.runIf(isAll)('are those that sorting everybody finds', async () => {
    const random = seedRandom('settled line');
    const codes: string[] = [];
    for (let number = 0; number < 60; number += 1) {
      const inviter = random.chance(0.7) ? codes[Math.floor(random.between(0, 8))] : undefined;
      const { id, referral_code } = await app.join(`ghost${number}@gmail.com`, inviter);
      codes.push(referral_code);
      if (random.chance(0.4)) await confirmMember(app.database, { memberId: id });
    }
    const { rows } = await sql<{
      id: string;
      sequence: number;
      is_invited: boolean;
      credits: number;
    }>`select id, sequence::integer, is_invited,
        (select count(*)::integer from member friend
          where friend.referrer_id = member.id and friend.confirmed_at is not null) as credits
      from member where confirmed_at is not null`.execute(app.database.kysely);
    const keyOf = ({ is_invited: isInvited, ...row }: (typeof rows)[number]) =>
      sortKey({ ...row, isInvited });
    const sorted = rows.toSorted((a, b) => keyOf(a) - keyOf(b)).map(({ id }) => id);
    for (const first of [1, 2, 3, 7, 20, 59, 60, 100]) {
      const found = await inTransaction(app.database, (transaction) =>
        readFirst(transaction, first),
      );
      expect(found.map(({ member_id }) => member_id)).toEqual(sorted.slice(0, first));
    }
  });
});

test('a list that was read before the lock is that of its moment, or is read again', async () => {
  const app = await openTestApp('postgres', { referralCredit: 'settle' });
  onTestFinished(() => app.remove());
  const ada = await app.join('ada@gmail.com');
  const bo = await app.join('bo@gmail.com');
  const cleo = await app.join('cleo@gmail.com');
  const eve = await app.join('eve@gmail.com');
  const friend = await app.join('friend@gmail.com', eve.referral_code);
  for (const { id: memberId } of [ada, bo, cleo, eve])
    await confirmMember(app.database, { memberId });
  const operation = openFreezeDrop(app.database);
  const input = { first: 3 };
  /** The entrants of a freeze that is rolled back. */
  const freezeAfter = async (meanwhile: () => Promise<unknown>) => {
    const read = await operation.read?.(input, false);
    await meanwhile();
    return await inUndoneTransaction(app.database, async (transaction) => {
      await lock(transaction, 'line');
      await operation.apply(transaction, input, read as never);
      const { frozen_at } = await getDrop({ kysely: transaction });
      const entrants = await readEntrants({ kysely: transaction }, 1);
      return { frozen_at, ids: entrants.map(({ member_id: id }) => id) };
    });
  };
  let confirmedAt = new Date();
  const afterFriend = await freezeAfter(async () => {
    await pause(2);
    confirmedAt = new Date();
    await confirmMember(app.database, { memberId: friend.id });
  });
  expect(afterFriend.ids).toEqual([ada.id, bo.id, cleo.id]);
  expect(afterFriend.frozen_at?.getTime()).toBeLessThan(confirmedAt.getTime());

  const afterRemoval = await freezeAfter(() => removeMember(app.database, { memberId: ada.id }));
  expect(afterRemoval.ids).toEqual([eve.id, friend.id, bo.id]);
  const afterPoints = await freezeAfter(() =>
    app.fastify.inject({
      method: 'POST',
      url: operatorPaths.changes,
      headers: HEADERS,
      payload: { kind: 'adjust-points', input: { member_id: cleo.id, by: 9 }, reason: 'helped' },
    }),
  );
  expect(afterPoints.ids).toEqual([cleo.id, eve.id, friend.id]);
});

test('a mailbox is on the list once, with the best of its members', async () => {
  const app = await openTestApp('postgres', { referralCredit: 'settle' });
  onTestFinished(() => app.remove());
  const twin = await app.join('twin@gmail.com');
  await joinWith(app, 'ahead', 2, 2);
  const best = await app.join('t.win+2@gmail.com');
  const friend = await app.join('friend@gmail.com', best.referral_code);
  for (const { id: memberId } of [twin, best, friend])
    await confirmMember(app.database, { memberId });
  const answer = await app.fastify.inject({
    method: 'POST',
    url: operatorPaths.previewChange,
    payload: { kind: 'freeze-drop', input: { first: 10, domains: ['example.com'] } },
    headers: HEADERS,
  });
  const { sentences } = answer.json();
  expect(sentences).toContain(
    '1 member is left out: their mailbox is that of a member ahead of them, in another spelling.',
  );
  expect(sentences.join()).toContain('Moved out of the list: twin@gmail.com.');
  expect(sentences.join()).not.toContain('Moved into the list');
  const change = {
    kind: 'freeze-drop',
    input: { first: 10, domains: ['example.com'] },
    reason: 'now',
  };
  const url = operatorPaths.changes;
  await app.fastify.inject({ method: 'POST', url, payload: change, headers: HEADERS });
  const { rows } = await sql<{ email: string }>`
    select email from entrant join member on member.id = entrant.member_id order by position
  `.execute(app.database.kysely);
  const emails = rows.map(({ email }) => email);
  expect(emails).toContain('t.win+2@gmail.com');
  expect(emails).not.toContain('twin@gmail.com');
});

test('a ticket weighs by the friends who confirmed, as the record says', async () => {
  const app = await openTestApp('postgres', { referralCredit: 'settle' });
  onTestFinished(() => app.remove());
  const [heavy, light] = [await joinWith(app, 'heavy', 3, 3), await joinWith(app, 'light', 9, 2)];
  const change = { kind: 'freeze-drop', input: { first: 2 }, reason: 'now' };
  const url = operatorPaths.changes;
  await app.fastify.inject({ method: 'POST', url, payload: change, headers: HEADERS });
  const record = (await app.fastify.inject(fillPath(apiPaths.draw, 1))).json() as DrawRecord;
  const weightOf = ({ id }: Pick<Member, 'id'>) =>
    record.entrants.find(({ ticket }) => ticket === ticketOf(record.salt, id))?.weight;
  expect([record.version, weightOf(heavy), weightOf(light)]).toEqual([2, 3, 2]);
  expect(verifyDraw(record, record.list_hash).problems).toEqual([]);
});
