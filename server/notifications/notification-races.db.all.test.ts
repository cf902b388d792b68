import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { Brand } from '../../brand/brand-shape.ts';
import { confirmEverybody } from '../../test/support/confirm-everybody.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/engines.ts';
import { patiently } from '../../test/support/patiently.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import { prepareSizes } from '../drop/stock/stock.ts';
import { confirmMember, removeMember } from '../line/change-member.ts';
import { type JoinQueue, openJoinQueue } from '../line/join/join.ts';
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

describe.each([
  { engine: 'embedded', servers: 1 },
  { engine: 'postgres', servers: 3 },
] as const)('notifications queued by $servers x $engine at once', ({ engine, servers }) => {
  let place: TestDatabase;
  let databases: Database[];
  let queues: JoinQueue[];

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    const others = Array.from({ length: servers - 1 }, () =>
      openDatabase({ ...place, log: () => {} }),
    );
    databases = [place.database, ...(await Promise.all(others))];
    await prepareSizes(place.database, brand);
    queues = databases.map((database) =>
      openJoinQueue({ database, brand, referralCredit: 'confirm', knownMail: 'status-link' }),
    );
  });

  afterEach(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    await Promise.all(databases.slice(1).map((database) => database.close()));
    await place.close();
  });

  const server = (index: number) => index % servers;

  async function joinAll(emails: readonly string[], codes: readonly (string | null)[] = [null]) {
    const answers = await Promise.all(
      emails.map((email, index) => {
        const queue = queues[server(index)] as JoinQueue;
        const referredBy = codes[index % codes.length] ?? null;
        return patiently(() => queue.join({ email, referredBy, idempotencyKey: null }));
      }),
    );
    return answers.map(
      (answer) => JSON.parse(answer.body) as { id: string; referral_code: string },
    );
  }

  const addresses = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}@example.com`);

  const runEverywhere = (now: Date) =>
    Promise.all(
      [...databases, ...databases].map((database) =>
        patiently(() => queueDueNotifications(database, { brand, now })),
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
    const { rows } = await place.database.runSql(`select data from pgboss.job where name = 'mail'`);
    return rows.map((row) => (row as { data: NewsMail }).data);
  }

  test('each mail is queued once', async () => {
    const inviters = await joinAll(addresses('inviter', 150));
    await confirmEverybody(place.database);
    const friends = await joinAll(
      addresses('friend', 450),
      inviters.map((inviter) => inviter.referral_code),
    );
    await Promise.all(
      friends.map(({ id }, index) =>
        patiently(() => confirmMember(databases[server(index)] as Database, { memberId: id })),
      ),
    );
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
    const inviters = await joinAll(addresses('inviter', 40));
    await confirmEverybody(place.database);
    const codes = inviters.map((inviter) => inviter.referral_code);
    const early = await joinAll(addresses('early', 200), codes);
    const leavers = await joinAll(addresses('leaver', 60));
    await place.database.runSql(`update member set joined_at = joined_at - interval '1 hour'`);
    await runDuring(
      Promise.all([
        ...early.map(({ id }, index) =>
          patiently(() => confirmMember(databases[server(index)] as Database, { memberId: id })),
        ),
        ...leavers.map(({ id }, index) =>
          patiently(() => removeMember(databases[server(index)] as Database, { memberId: id })),
        ),
        joinAll([...addresses('late', 200), ...addresses('inviter', 40)], codes).then((late) =>
          Promise.all(
            late
              .filter(({ id }) => id !== undefined)
              .map(({ id }, index) =>
                patiently(() =>
                  confirmMember(databases[server(index)] as Database, { memberId: id }),
                ),
              ),
          ),
        ),
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
      expect({ friends, tiers: own.filter(({ kind }) => kind === 'tier').length }).toEqual({
        friends: 10,
        tiers: 1,
      });
    }
    expect(await verifyLine(place.database)).toEqual({ members: 440, differences: [] });
  });

  // The embedded engine runs one transaction at a time.
  if (servers > 1)
    test('a run does not wait for a credit in progress; the next one mails it whole', async () => {
      const [inviter = { id: '', referral_code: '' }] = await joinAll(['inviter@example.com']);
      await confirmEverybody(place.database);
      const [first, second] = await joinAll(addresses('friend', 2), [inviter.referral_code]);
      await confirmMember(place.database, { memberId: first?.id ?? '' });
      const [, other] = databases as [Database, Database];
      await place.database.kysely.transaction().execute(async (transaction) => {
        await confirm({ ...place.database, kysely: transaction }, second?.id ?? '');
        expect(await queueDueNotifications(other, { brand, now: noon })).toEqual({ queued: 0 });
      });
      expect(await queueDueNotifications(other, { brand, now: noon })).toEqual({ queued: 1 });
      expect(await readQueued()).toEqual([
        { kind: 'friends', memberId: inviter.id, newFriends: 2 },
      ]);
    });
});
