import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { Brand } from '../../brand/brand-shape.ts';
import type { Member } from '../../contract/schemas.ts';
import { engines, openTestDatabase, type TestDatabase } from '../../test/support/engines.ts';
import type { MailRequest } from '../mail/queue.ts';
import { confirmMember } from '../waitlist/confirm-member.ts';
import { type JoinQueue, openJoinQueue } from '../waitlist/join.ts';
import { prepareLine } from '../waitlist/prepare-line.ts';
import { removeMember } from '../waitlist/remove-member.ts';
import { lookForNews } from './look-for-news.ts';

const brand: Brand = { ...ownBrand, tiers: [3, 5].map((asks) => ({ requiredReferrals: asks, reward: `${asks}` })) };
const noon = new Date('2030-01-01T12:00:00Z');
const hoursLater = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);

const { friends, tier, hundred } = brand.mails;
const withoutFriends: Brand = { ...brand, mails: { ...brand.mails, friends: { ...friends, isOn: false } } };
const withoutNews: Brand = {
  ...brand,
  mails: {
    ...withoutFriends.mails,
    tier: { ...tier, isOn: false },
    hundred: { ...hundred, isOn: false },
  },
};

describe.each(engines)('news on the %s engine', (engine) => {
  let place: TestDatabase;
  let queue: JoinQueue;
  let joined = 0;

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    await prepareLine(place.database, brand);
    queue = openJoinQueue({ database: place.database, brand });
  });

  afterEach(async () => {
    await queue.close();
    await place.close();
  });

  async function join(referredBy: string | null = null): Promise<Member> {
    joined += 1;
    const { body } = await queue.join({ email: `m${joined}@example.com`, referredBy, idempotencyKey: null });
    return JSON.parse(body);
  }

  const joinFriends = (of: Member, count: number) => joinAll(count, of.referral_code);
  const joinAll = (count: number, referredBy: string | null = null) =>
    Promise.all(Array.from({ length: count }, () => join(referredBy)));

  /** What a look at that time queues, the hundred aside unless asked for; the queue is empty afterwards. */
  async function look(now: Date, of: Brand = brand, kinds = ['friends', 'tier']): Promise<MailRequest[]> {
    const { queued } = await lookForNews(place.database, { brand: of, now });
    const mails = await takeQueued();
    expect(mails).toHaveLength(queued);
    return mails.filter(({ kind }) => kinds.includes(kind));
  }

  const lookAtHundred = (now: Date, of: Brand = brand) => look(now, of, ['hundred']);

  async function takeQueued(): Promise<MailRequest[]> {
    const { rows } = await place.database.runSql(`delete from pgboss.job where name = 'mail' returning data`);
    return rows.map((row) => (row as { data: MailRequest }).data);
  }

  describe('of friends and tiers', () => {
    test('the first friend is told at the next look, those of the same day after it, all together', async () => {
      const ann = await join();
      expect(await look(noon)).toEqual([]);
      await joinFriends(ann, 1);
      expect(await look(noon)).toEqual([{ kind: 'friends', memberId: ann.id, newFriends: 1 }]);
      await joinFriends(ann, 1);
      expect(await look(hoursLater(1))).toEqual([]);
      expect(await look(hoursLater(23.9))).toEqual([]);
      expect(await look(hoursLater(24))).toEqual([{ kind: 'friends', memberId: ann.id, newFriends: 1 }]);
      expect(await look(hoursLater(100))).toEqual([]);
      await joinFriends(ann, 2);
      expect(await look(hoursLater(100))).toContainEqual({ kind: 'friends', memberId: ann.id, newFriends: 2 });
    });

    test('a tier is told at once, on the day of a mail about friends too, and never again', async () => {
      const ann = await join();
      await joinFriends(ann, 1);
      await look(noon);
      const [friend] = await joinFriends(ann, 1);
      await look(hoursLater(1));
      await joinFriends(ann, 1);
      expect(await look(hoursLater(2))).toEqual([{ kind: 'tier', memberId: ann.id, level: 1 }]);
      await removeMember(place.database, { memberId: friend?.id ?? '' });
      await joinFriends(ann, 1);
      expect(await look(hoursLater(3))).toEqual([]);
      expect(await look(hoursLater(24))).toEqual([{ kind: 'friends', memberId: ann.id, newFriends: 2 }]);
      await joinFriends(ann, 2);
      expect(await look(hoursLater(25))).toEqual([{ kind: 'tier', memberId: ann.id, level: 2 }]);
    });

    test('who lost friends is told nothing', async () => {
      const ann = await join();
      const [friend] = await joinFriends(ann, 2);
      await look(noon);
      await removeMember(place.database, { memberId: friend?.id ?? '' });
      expect(await look(hoursLater(30))).toEqual([]);
    });

    test('a friend who joined and left before the look is not told of', async () => {
      const ann = await join();
      const [friend] = await joinFriends(ann, 1);
      await removeMember(place.database, { memberId: friend?.id ?? '' });
      expect(await look(noon)).toEqual([]);
    });

    test('a friend who has to confirm is told of when confirmed', async () => {
      const ann = await join();
      await queue.close();
      queue = openJoinQueue({ database: place.database, brand, referralCredit: 'confirm' });
      const [friend] = await joinFriends(ann, 2);
      expect(await look(noon)).toEqual([]);
      await confirmMember(place.database, { memberId: friend?.id ?? '' });
      await confirmMember(place.database, { memberId: friend?.id ?? '' });
      expect(await look(noon)).toEqual([{ kind: 'friends', memberId: ann.id, newFriends: 1 }]);
    });

    test('a kind that is switched on again tells of nothing old', async () => {
      const ann = await join();
      await joinFriends(ann, 3);
      expect(await look(noon, withoutNews)).toEqual([]);
      expect(await look(hoursLater(30))).toEqual([]);
      await joinFriends(ann, 1);
      expect(await look(hoursLater(30))).toEqual([{ kind: 'friends', memberId: ann.id, newFriends: 1 }]);
      await joinFriends(ann, 1);
      expect(await look(hoursLater(60), withoutFriends)).toEqual([{ kind: 'tier', memberId: ann.id, level: 2 }]);
    });

    test('more members than a look takes at a time are told in one look, each once', async () => {
      const members = await joinAll(1100);
      await Promise.all(members.map((member) => join(member.referral_code)));
      const mails = await look(noon);
      expect(new Set(mails.map(({ memberId }) => memberId))).toEqual(new Set(members.map(({ id }) => id)));
      expect(mails).toHaveLength(1100);
      expect(await look(noon)).toEqual([]);
    });
  });

  describe('of the first hundred', () => {
    const entered = (member: Member) => ({ kind: 'hundred', memberId: member.id, isInside: true });
    const left = (member: Member) => ({ kind: 'hundred', memberId: member.id, isInside: false });

    /** A line of 102 of whom the last two are outside, looked at. */
    async function fillHundred(): Promise<Member[]> {
      const members = await joinAll(102);
      expect(await lookAtHundred(noon)).toEqual([]);
      return members.toSorted((a, b) => a.position - b.position);
    }

    const lastOf = (line: readonly Member[], count: number) => line.slice(-count) as [Member, Member, Member];

    test('at the first look at a line nobody is told', async () => {
      await fillHundred();
      expect(await lookAtHundred(hoursLater(48))).toEqual([]);
    });

    test('who climbs into it is told at the next look, who is pushed out when the day of their join is over', async () => {
      const [hundredth, , last] = lastOf(await fillHundred(), 3);
      await joinFriends(last, 1);
      // The friend came by invite and stands inside too, so two are pushed out; one of them is the 99th.
      expect(await lookAtHundred(hoursLater(1))).toEqual([entered(last)]);
      const pushedOut = await lookAtHundred(hoursLater(24));
      expect(pushedOut).toHaveLength(2);
      expect(pushedOut).toContainEqual(left(hundredth));
    });

    test('who joins straight into it is not told again', async () => {
      const [, , last] = lastOf(await fillHundred(), 3);
      const friend = await join(last.referral_code);
      expect(friend.position).toBeLessThanOrEqual(100);
      expect(await lookAtHundred(hoursLater(1))).toEqual([entered(last)]);
      expect((await lookAtHundred(hoursLater(48))).map(({ memberId }) => memberId)).not.toContain(friend.id);
    });

    test('who leaves it and comes back within the day is told nothing', async () => {
      const [, , last] = lastOf(await fillHundred(), 3);
      const [friend] = await joinFriends(last, 1);
      expect(await lookAtHundred(hoursLater(1))).toEqual([entered(last)]);
      await removeMember(place.database, { memberId: friend?.id ?? '' });
      expect(await lookAtHundred(hoursLater(2))).toEqual([]);
      await joinFriends(last, 1);
      expect(await lookAtHundred(hoursLater(23))).toEqual([]);
      const later = await lookAtHundred(hoursLater(60));
      expect(later.map(({ memberId }) => memberId)).not.toContain(last.id);
    });

    test('who is still out when the day is over is told then', async () => {
      const [, , last] = lastOf(await fillHundred(), 3);
      const [friend] = await joinFriends(last, 1);
      await lookAtHundred(hoursLater(1));
      await removeMember(place.database, { memberId: friend?.id ?? '' });
      expect(await lookAtHundred(hoursLater(24.9))).not.toContainEqual(left(last));
      expect(await lookAtHundred(hoursLater(25))).toEqual([left(last)]);
      expect(await lookAtHundred(hoursLater(99))).toEqual([]);
    });

    test('switched on again it tells of nothing old', async () => {
      const [, , last] = lastOf(await fillHundred(), 3);
      await joinFriends(last, 1);
      expect(await lookAtHundred(hoursLater(48), withoutNews)).toEqual([]);
      expect(await lookAtHundred(hoursLater(96))).toEqual([]);
    });
  });
});

// On PostgreSQL the log is that of all databases of the server.
test('a look without news writes nothing', async () => {
  const { database, close } = await openTestDatabase('embedded');
  await prepareLine(database, brand);
  const queue = openJoinQueue({ database, brand });
  const join = async (email: string, referredBy: string | null): Promise<Member> =>
    JSON.parse((await queue.join({ email, referredBy, idempotencyKey: null })).body);
  await join('friend@example.com', (await join('ann@example.com', null)).referral_code);
  await lookForNews(database, { brand, now: noon });
  await lookForNews(database, { brand, now: noon });
  const readWritten = () => database.runSql('select pg_current_wal_insert_lsn()::text as at');
  const before = await readWritten();
  expect(await lookForNews(database, { brand, now: hoursLater(1) })).toEqual({ queued: 0 });
  expect(await readWritten()).toEqual(before);
  await queue.close();
  await close();
});
