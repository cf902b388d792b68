/** A frozen line counts friends who have confirmed, whatever the line showed before. */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { ticketOf } from '../../contract/drop/draw-hash-rules.ts';
import type { DrawRecord } from '../../contract/drop/draw-record.ts';
import { verifyDraw } from '../../contract/drop/verify-draw-rules.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { inUndoneTransaction, lock } from '../../server/db/transaction.ts';
import { getDrop } from '../../server/drop/drop-store.ts';
import { readEntrants } from '../../server/drop/entrant-store.ts';
import { openFreezeDrop } from '../../server/drop/steps/freeze.ts';
import { confirmMember, removeMember } from '../../server/line/change-member.ts';
import { oneEngine } from '../support/engines.ts';
import { tellStory } from '../support/tell-story.ts';
import { AS_OWNER, provideApp } from './provide-app.ts';
import type { TestApp } from './test-app.ts';

async function joinWith(app: TestApp, name: string, friends: number, confirmed: number) {
  const member = await app.join(`${name}@example.com`);
  await confirmMember(app.database, { memberId: member.id });
  for (let number = 0; number < friends; number += 1) {
    const friend = await app.join(`${name}.${number}@example.org`, member.referral_code);
    if (number < confirmed) await confirmMember(app.database, { memberId: friend.id });
  }
  return member;
}

describe.each(oneEngine)('a line whose credits settle on %s', (engine) => {
  const app = provideApp(engine);
  const { read, change, preview } = app;
  beforeAll(async () => {
    await joinWith(app, 'loud', 3, 0);
    await joinWith(app, 'quiet', 2, 2);
    await joinWith(app, 'between', 3, 1);
  });
  const sentencesOf = async (): Promise<string[]> =>
    (await preview('freeze-drop', { first: 2 })).sentences;

  const step = tellStory('goes through one step after the other');

  step('shows friends who joined at once, and how many have confirmed', async () => {
    const member = await joinWith(app, 'shown', 2, 1);
    expect(await app.statusOf(member.id)).toMatchObject({
      referral_count: 2,
      joined_referrals: 2,
      confirmed_referrals: 1,
      settled_referrals: 1,
      is_confirmed: true,
    });
  });

  step('says before it is frozen who that moves', async () => {
    expect(await sentencesOf()).toEqual(
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
    const freeze = { 'freeze-drop': { first: 2 } };
    await change('schedule-step', { step: freeze, at, time_zone: 'UTC' });
    await change('publish-schedule', { is_public: true });
    expect((await sentencesOf()).at(-1)).toMatch(
      /^The site says it is on .*: friends who confirm between now and/,
    );
    await change('unschedule-step', { step: 'freeze-drop' });
  });

  step('shows operators who has confirmed friends, and how many at the top have not', async () => {
    const { members } = await app.post(operatorPaths.listMembers, { sort: 'referrals', limit: 2 });
    expect(
      members.map((one: Member) => [one.referral_count, one.confirmed_referrals]).toSorted(),
    ).toEqual([
      [3, 0],
      [3, 1],
    ]);
    const before = (await read(operatorPaths.overviewHealth)).top;
    await joinWith(app, 'counted', 2, 1);
    const other = await app.openAnother();
    const health = await app.ask('GET', operatorPaths.overviewHealth, undefined, AS_OWNER, other);
    await other.close();
    expect(health.json().top).toEqual({
      members: before.members + 3,
      friends: before.friends + 2,
      unconfirmed: before.unconfirmed + 1,
    });
  });

  step('is frozen in the order of confirmed friends', async () => {
    expect(await change('freeze-drop', { first: 2 })).toMatchObject({ status: 201 });
    const record: DrawRecord = await read(fillPath(apiPaths.draw, 1));
    expect(record.entrants.map(({ points }) => points)).toEqual([4, 2]);
  });
});

describe('a list that was read before the lock', () => {
  const app = provideApp('postgres');

  test('is that of its moment, or is read again', async () => {
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
      app.change('adjust-points', { member_id: cleo.id, by: 9 }),
    );
    expect(afterPoints.ids).toEqual([cleo.id, eve.id, friend.id]);
  });
});

describe('a mailbox', () => {
  const app = provideApp('postgres');

  test('is on the list once, with the best of its members', async () => {
    const twin = await app.join('twin@gmail.com');
    await joinWith(app, 'ahead', 2, 2);
    const best = await app.join('t.win+2@gmail.com');
    const friend = await app.join('friend@gmail.com', best.referral_code);
    for (const { id: memberId } of [twin, best, friend])
      await confirmMember(app.database, { memberId });
    const input = { first: 10, domains: ['example.com'] };
    const { sentences } = await app.preview('freeze-drop', input);
    expect(sentences).toContain(
      '1 member is left out: their mailbox is that of a member ahead of them, in another spelling.',
    );
    expect(sentences.join()).toContain('Moved out of the list: twin@gmail.com.');
    expect(sentences.join()).not.toContain('Moved into the list');
    await app.change('freeze-drop', input);
    const entrants = 'select email from entrant join member on member.id = entrant.member_id';
    const emails = (await app.sql(entrants)).map(({ email }) => email);
    expect(emails).toContain('t.win+2@gmail.com');
    expect(emails).not.toContain('twin@gmail.com');
  });
});

describe('a ticket', () => {
  const app = provideApp('postgres');

  test('weighs by the friends who confirmed, as the record says', async () => {
    const heavy = await joinWith(app, 'heavy', 3, 3);
    const light = await joinWith(app, 'light', 9, 2);
    await app.change('freeze-drop', { first: 2 });
    const record: DrawRecord = await app.read(fillPath(apiPaths.draw, 1));
    const weightOf = ({ id }: Pick<Member, 'id'>) =>
      record.entrants.find(({ ticket }) => ticket === ticketOf(record.salt, id))?.weight;
    expect([record.version, weightOf(heavy), weightOf(light)]).toEqual([2, 3, 2]);
    expect(verifyDraw(record, record.list_hash).problems).toEqual([]);
  });
});
