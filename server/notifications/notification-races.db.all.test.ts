import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { Brand } from '../../brand/brand-shape.ts';
import { named, openNodes } from '../../test/line/open-nodes.ts';
import { confirmEverybody } from '../../test/support/confirm-everybody.ts';
import { patiently } from '../../test/support/patiently.ts';
import { confirmMember, removeMember } from '../line/change-member.ts';
import { confirm } from '../line/store.ts';
import { verifyLine } from '../line/verify/verify-line.ts';
import type { NewsMail } from './news-mails.ts';
import { queueDueNotifications } from './queue-due-notifications.ts';

const brand: Brand = {
  ...ownBrand,
  tiers: [{ requiredReferrals: 3, reward: 'three', kind: 'plain' }],
};
const noon = new Date('2030-01-01T12:00:00Z');
const dayLater = new Date(noon.getTime() + 24 * 3_600_000);

type Joined = { readonly id: string; readonly referral_code: string };

describe.each([
  { engine: 'embedded', servers: 1 },
  { engine: 'postgres', servers: 3 },
] as const)('notifications queued by $servers x $engine at once', ({ engine, servers }) => {
  const { database, node, creditBy, joinAll } = openNodes(engine, servers);
  beforeEach(() => creditBy('confirm'));

  /** Members who have joined, by these codes in turn. */
  async function join(name: string, count: number, codes: readonly string[] = []) {
    const joining = named(name, count).map((one, index) => {
      return { ...one, code: codes[index % codes.length] ?? null };
    });
    const answers = await joinAll(joining);
    return answers.map(({ body }) => JSON.parse(body) as Partial<Joined>).filter(hasId);
  }
  const hasId = (member: Partial<Joined>): member is Joined => member.id !== undefined;
  const confirmAll = (members: readonly Joined[]) =>
    Promise.all(
      members.map(({ id: memberId }, index) =>
        patiently(() => confirmMember(node(index), { memberId })),
      ),
    );

  const runEverywhere = (now: Date) =>
    Promise.all(
      Array.from({ length: 2 * servers }, (_, index) =>
        patiently(() => queueDueNotifications(node(index), { brand, now })),
      ),
    );

  async function runDuring(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await runEverywhere(noon);
      await pause(20);
    }
    await done;
  }

  async function readQueued(): Promise<NewsMail[]> {
    const { rows } = await database().runSql<{ data: NewsMail }>(
      `select data from pgboss.job where name = 'mail'`,
    );
    return rows.map(({ data }) => data);
  }

  test('each mail is queued once', async () => {
    const inviters = await join('inviter', 150);
    await confirmEverybody(database());
    const codes = inviters.map(({ referral_code: code }) => code);
    await confirmAll(await join('friend', 450, codes));
    await runEverywhere(noon);
    await runEverywhere(noon);
    const mails = (await readQueued()).filter(({ kind }) => kind !== 'top100');
    const expected = inviters.flatMap(({ id }) => [
      { kind: 'friends', memberId: id, newFriends: 3 },
      { kind: 'tier', memberId: id, level: 1 },
    ]);
    const inOrder = (list: readonly object[]) =>
      list.map((mail) => JSON.stringify(Object.entries(mail).sort())).sort();
    expect(inOrder(mails)).toEqual(inOrder(expected));
  });

  test('during joins, confirmations and removals every friend is mailed once', async () => {
    const inviters = await join('inviter', 40);
    await confirmEverybody(database());
    const codes = inviters.map(({ referral_code: code }) => code);
    const early = await join('early', 200, codes);
    const leavers = await join('leaver', 60);
    await database().runSql(`update member set joined_at = joined_at - interval '1 hour'`);
    await runDuring(
      Promise.all([
        confirmAll(early),
        ...leavers.map(({ id: memberId }, index) =>
          patiently(() => removeMember(node(index), { memberId })),
        ),
        join('late', 200, codes).then(confirmAll),
        join('inviter', 40, codes),
      ]),
    );
    await runEverywhere(noon);
    await runEverywhere(dayLater);
    const mails = await readQueued();
    for (const { id } of inviters) {
      const own = mails.filter(({ memberId }) => memberId === id);
      const friends = own.reduce(
        (sum, mail) => sum + (mail.kind === 'friends' ? mail.newFriends : 0),
        0,
      );
      const tiers = own.filter(({ kind }) => kind === 'tier').length;
      expect({ friends, tiers }).toEqual({ friends: 10, tiers: 1 });
    }
    expect(await verifyLine(database())).toEqual({ members: 440, differences: [] });
  });

  // The embedded engine runs one transaction at a time.
  if (servers > 1)
    test('a run does not wait for a credit in progress; the next one mails it whole', async () => {
      const [inviter = { id: '', referral_code: '' }] = await join('inviter', 1);
      await confirmEverybody(database());
      const [first, second] = await join('friend', 2, [inviter.referral_code]);
      await confirmMember(database(), { memberId: first?.id ?? '' });
      const run = () => queueDueNotifications(node(1), { brand, now: noon });
      await database()
        .kysely.transaction()
        .execute(async (transaction) => {
          await confirm({ ...database(), kysely: transaction }, second?.id ?? '');
          expect(await run()).toEqual({ queued: 0 });
        });
      expect(await run()).toEqual({ queued: 1 });
      expect(await readQueued()).toEqual([
        { kind: 'friends', memberId: inviter.id, newFriends: 2 },
      ]);
    });
});
