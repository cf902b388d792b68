import { describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { Brand } from '../../brand/brand-shape.ts';
import type { Member } from '../../contract/schemas.ts';
import { oneEngine } from '../../test/support/engines.ts';
import { provideLine } from '../../test/support/provide-line.ts';
import { confirmMember, removeMember } from '../line/change-member.ts';
import { openJoinQueue } from '../line/join/join.ts';
import type { NewsMail } from './news-mails.ts';
import { queueDueNotifications } from './queue-due-notifications.ts';

const brand: Brand = {
  ...ownBrand,
  tiers: [3, 5].map((asks) => ({ requiredReferrals: asks, reward: `${asks}`, kind: 'plain' })),
};
const noon = new Date('2030-01-01T12:00:00Z');
const hoursLater = (hours: number) => new Date(noon.getTime() + hours * 3_600_000);

const { friends, tier, top100 } = brand.mails;
const withoutFriends: Brand = {
  ...brand,
  mails: { ...brand.mails, friends: { ...friends, isOn: false } },
};
const withoutNotifications: Brand = {
  ...brand,
  mails: {
    ...withoutFriends.mails,
    tier: { ...tier, isOn: false },
    top100: { ...top100, isOn: false },
  },
};

describe.each(oneEngine)('notifications on %s', (engine) => {
  const line = provideLine(engine, { brand });
  const joinFriends = (of: Member, count: number) => line.joinAll(count, of.referral_code);

  /** The mails of these kinds that a run at that time queues; empties the queue. */
  async function run(
    now: Date,
    usedBrand: Brand = brand,
    kinds = ['friends', 'tier'],
  ): Promise<NewsMail[]> {
    // Members get news once they have confirmed: all but those whose credit waits for that.
    await line.sql(`
      select confirm_member(id) from member where confirmed_at is null and credit <> 'pending'`);
    const { queued } = await queueDueNotifications(line.database, { brand: usedBrand, now });
    const mails = await takeQueued();
    expect(mails).toHaveLength(queued);
    return mails.filter(({ kind }) => kinds.includes(kind));
  }

  const runForTop100 = (now: Date, usedBrand: Brand = brand) => run(now, usedBrand, ['top100']);

  const takeQueued = async (): Promise<NewsMail[]> =>
    (
      await line.sql<{ data: NewsMail }>(
        `delete from pgboss.job where name = 'mail' returning data`,
      )
    ).map(({ data }) => data);

  describe('about friends and tiers', () => {
    test('the first friend is mailed at the next run, those of the next day together', async () => {
      const ann = await line.join();
      expect(await run(noon)).toEqual([]);
      await joinFriends(ann, 1);
      expect(await run(noon)).toEqual([{ kind: 'friends', memberId: ann.id, newFriends: 1 }]);
      await joinFriends(ann, 1);
      expect(await run(hoursLater(1))).toEqual([]);
      expect(await run(hoursLater(23.9))).toEqual([]);
      expect(await run(hoursLater(24))).toEqual([
        { kind: 'friends', memberId: ann.id, newFriends: 1 },
      ]);
      expect(await run(hoursLater(100))).toEqual([]);
      await joinFriends(ann, 2);
      expect(await run(hoursLater(100))).toContainEqual({
        kind: 'friends',
        memberId: ann.id,
        newFriends: 2,
      });
    });

    test('a tier is mailed once and at once, even on the day of a mail about friends', async () => {
      const ann = await line.join();
      await joinFriends(ann, 1);
      await run(noon);
      const [friend] = await joinFriends(ann, 1);
      await run(hoursLater(1));
      await joinFriends(ann, 1);
      expect(await run(hoursLater(2))).toEqual([{ kind: 'tier', memberId: ann.id, level: 1 }]);
      await removeMember(line.database, { memberId: friend?.id ?? '' });
      await joinFriends(ann, 1);
      expect(await run(hoursLater(3))).toEqual([]);
      expect(await run(hoursLater(24))).toEqual([
        { kind: 'friends', memberId: ann.id, newFriends: 2 },
      ]);
    });

    test('a friend who has to confirm is mailed about once confirmed', async () => {
      const ann = await line.join();
      const { database } = line;
      const confirming = openJoinQueue({ database, brand, referralCredit: 'confirm' });
      const [friend = ''] = await Promise.all(
        ['one', 'two'].map(async (name) => {
          const email = `${name}@example.com`;
          const join = { email, referredBy: ann.referral_code, idempotencyKey: null };
          return (await confirming.join(join)).memberId ?? '';
        }),
      );
      await confirming.close();
      expect(await run(noon)).toEqual([]);
      for (let time = 0; time < 2; time += 1) await confirmMember(database, { memberId: friend });
      expect(await run(noon)).toEqual([{ kind: 'friends', memberId: ann.id, newFriends: 1 }]);
    });

    test('a kind that is switched on again mails nothing old', async () => {
      const ann = await line.join();
      await joinFriends(ann, 3);
      expect(await run(noon, withoutNotifications)).toEqual([]);
      expect(await run(hoursLater(30))).toEqual([]);
      await joinFriends(ann, 1);
      expect(await run(hoursLater(30))).toEqual([
        { kind: 'friends', memberId: ann.id, newFriends: 1 },
      ]);
      await joinFriends(ann, 1);
      expect(await run(hoursLater(60), withoutFriends)).toEqual([
        { kind: 'tier', memberId: ann.id, level: 2 },
      ]);
    });

    test('more members than fit one transaction are mailed in one run, each once', async () => {
      const members = await line.joinAll(1100);
      await Promise.all(members.map((member) => line.join(member.referral_code)));
      const mails = await run(noon);
      expect(new Set(mails.map(({ memberId }) => memberId))).toEqual(
        new Set(members.map(({ id }) => id)),
      );
      expect(mails).toHaveLength(1100);
      expect(await run(noon)).toEqual([]);
    });
  });

  describe('about the top 100', () => {
    const entered = (member: Member) => ({ kind: 'top100', memberId: member.id, isInside: true });
    const left = (member: Member) => ({ kind: 'top100', memberId: member.id, isInside: false });

    test('wait while the order of a drop is fixed, and are news for the next one', async () => {
      const few = { ...brand, maskCount: 1 };
      const ann = await line.join();
      await runForTop100(noon, few);
      await line.sql(
        `update mask_drop set state = 'frozen', frozen_at = now(), salt = 's', list_hash = 'h'`,
      );
      const bea = await line.join();
      await joinFriends(bea, 1);
      expect(await runForTop100(hoursLater(25), few)).toEqual([]);
      await line.sql(`insert into mask_drop (number) values (2)`);
      expect(await runForTop100(hoursLater(25), few)).toEqual([left(ann)]);
    });

    /** A line of 102, of whom two are outside; the first run is done. */
    async function fillTop100(): Promise<Member[]> {
      const members = await line.joinAll(102);
      expect(await runForTop100(noon)).toEqual([]);
      return members.toSorted((a, b) => a.position - b.position);
    }

    const lastOf = (line: readonly Member[], count: number) =>
      line.slice(-count) as [Member, Member, Member];

    test('entering it is mailed at the next run, leaving it a day after the join', async () => {
      const [hundredth, , last] = lastOf(await fillTop100(), 3);
      await joinFriends(last, 1);
      // The invited friend enters too, so two are pushed out; one of them was 99th.
      expect(await runForTop100(hoursLater(1))).toEqual([entered(last)]);
      const pushedOut = await runForTop100(hoursLater(24));
      expect(pushedOut).toHaveLength(2);
      expect(pushedOut).toContainEqual(left(hundredth));
    });

    test('a member who leaves it and comes back within a day gets no mail', async () => {
      const [, , last] = lastOf(await fillTop100(), 3);
      const [friend] = await joinFriends(last, 1);
      expect(await runForTop100(hoursLater(1))).toEqual([entered(last)]);
      await removeMember(line.database, { memberId: friend?.id ?? '' });
      expect(await runForTop100(hoursLater(2))).toEqual([]);
      await joinFriends(last, 1);
      expect(await runForTop100(hoursLater(23))).toEqual([]);
      const later = await runForTop100(hoursLater(60));
      expect(later.map(({ memberId }) => memberId)).not.toContain(last.id);
    });

    test('a kind that is switched on again mails nothing old', async () => {
      const [, , last] = lastOf(await fillTop100(), 3);
      await joinFriends(last, 1);
      expect(await runForTop100(hoursLater(48), withoutNotifications)).toEqual([]);
      expect(await runForTop100(hoursLater(96))).toEqual([]);
    });
  });
});

describe('a run with nothing due', () => {
  // On PostgreSQL all databases of the server share the log.
  const line = provideLine('embedded');

  test('writes nothing', async () => {
    await line.join((await line.join()).referral_code);
    const { database } = line;
    await queueDueNotifications(database, { brand, now: noon });
    await queueDueNotifications(database, { brand, now: noon });
    const readWritten = () => database.runSql('select pg_current_wal_insert_lsn()::text as at');
    const before = await readWritten();
    expect(await queueDueNotifications(database, { brand, now: hoursLater(1) })).toEqual({
      queued: 0,
    });
    expect(await readWritten()).toEqual(before);
  });
});
