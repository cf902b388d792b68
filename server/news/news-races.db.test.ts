import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand as ownBrand } from '../../brand/brand.ts';
import type { Brand } from '../../brand/brand-shape.ts';
import { openTestDatabase, type TestDatabase } from '../../test/support/engines.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open.ts';
import type { MailRequest } from '../mail/queue.ts';
import { confirmMember } from '../waitlist/confirm-member.ts';
import { type JoinQueue, openJoinQueue } from '../waitlist/join.ts';
import { prepareLine } from '../waitlist/prepare-line.ts';
import { removeMember } from '../waitlist/remove-member.ts';
import { verifyLine } from '../waitlist/verify-line.ts';
import { lookForNews } from './look-for-news.ts';

const brand: Brand = { ...ownBrand, tiers: [{ requiredReferrals: 3, reward: 'three' }] };
const noon = new Date('2030-01-01T12:00:00Z');
const dayLater = new Date(noon.getTime() + 24 * 3_600_000);

describe.each([
  { engine: 'embedded', servers: 1 },
  { engine: 'postgres', servers: 3 },
] as const)('looks for news by $servers x $engine at once', ({ engine, servers }) => {
  let place: TestDatabase;
  let databases: Database[];
  let queues: JoinQueue[];

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    const others = Array.from({ length: servers - 1 }, () => openDatabase({ ...place, log: () => {} }));
    databases = [place.database, ...(await Promise.all(others))];
    await prepareLine(place.database, brand);
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
      emails.map((email, index) =>
        queues[server(index)]?.join({ email, referredBy: codes[index % codes.length] ?? null, idempotencyKey: null }),
      ),
    );
    return answers.map((answer) => JSON.parse(answer?.body ?? '') as { id: string; referral_code: string });
  }

  const addresses = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}@example.com`);

  const lookEverywhere = (now: Date) =>
    Promise.all([...databases, ...databases].map((database) => lookForNews(database, { brand, now })));

  async function lookWhile(work: Promise<unknown>): Promise<void> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await lookEverywhere(noon);
      await pause(20);
    }
    await done;
  }

  async function readQueued(): Promise<MailRequest[]> {
    const { rows } = await place.database.runSql(`select data from pgboss.job where name = 'mail'`);
    return rows.map((row) => (row as { data: MailRequest }).data);
  }

  test('each mail is queued once', async () => {
    const inviters = await joinAll(addresses('inviter', 150));
    const friends = await joinAll(
      addresses('friend', 450),
      inviters.map((inviter) => inviter.referral_code),
    );
    await Promise.all(
      friends.map(({ id }, index) => confirmMember(databases[server(index)] as Database, { memberId: id })),
    );
    await lookEverywhere(noon);
    await lookEverywhere(noon);
    const mails = (await readQueued()).filter(({ kind }) => kind !== 'hundred');
    const expected = inviters.flatMap(({ id }) => [
      { kind: 'friends', memberId: id, newFriends: 3 },
      { kind: 'tier', memberId: id, level: 1 },
    ]);
    const inOrder = (list: readonly object[]) => list.map((mail) => JSON.stringify(Object.entries(mail).sort())).sort();
    expect(inOrder(mails)).toEqual(inOrder(expected));
  });

  test('beside joins, known addresses, confirmations and removals none fails and every friend is told once', async () => {
    const inviters = await joinAll(addresses('inviter', 40));
    const codes = inviters.map((inviter) => inviter.referral_code);
    const early = await joinAll(addresses('early', 200), codes);
    const leavers = await joinAll(addresses('leaver', 60));
    await place.database.runSql(`update member set joined_at = joined_at - interval '1 hour'`);
    await lookWhile(
      Promise.all([
        ...early.map(({ id }, index) => confirmMember(databases[server(index)] as Database, { memberId: id })),
        ...leavers.map(({ id }, index) => removeMember(databases[server(index)] as Database, { memberId: id })),
        joinAll([...addresses('late', 200), ...addresses('inviter', 40)], codes).then((late) =>
          Promise.all(
            late
              .filter(({ id }) => id !== undefined)
              .map(({ id }, index) => confirmMember(databases[server(index)] as Database, { memberId: id })),
          ),
        ),
      ]),
    );
    await lookEverywhere(noon);
    await lookEverywhere(dayLater);
    const mails = await readQueued();
    for (const { id } of inviters) {
      const own = mails.filter(({ memberId }) => memberId === id);
      const told = own.reduce((sum, mail) => sum + (mail.kind === 'friends' ? mail.newFriends : 0), 0);
      expect({ told, tiers: own.filter(({ kind }) => kind === 'tier').length }).toEqual({ told: 10, tiers: 1 });
    }
    expect(await verifyLine(place.database, brand)).toEqual({ members: 440, differences: [] });
  });

  // On the embedded engine transactions take turns.
  if (servers > 1)
    test('a credit that is being given is not waited for, and told of whole at the next look', async () => {
      const [inviter = { id: '', referral_code: '' }] = await joinAll(['inviter@example.com']);
      const [first, second] = await joinAll(addresses('friend', 2), [inviter.referral_code]);
      await confirmMember(place.database, { memberId: first?.id ?? '' });
      const [, other] = databases as [Database, Database];
      await place.database.kysely.transaction().execute(async (transaction) => {
        await confirmMember({ ...place.database, kysely: transaction }, { memberId: second?.id ?? '' });
        expect(await lookForNews(other, { brand, now: noon })).toEqual({ queued: 0 });
      });
      expect(await lookForNews(other, { brand, now: noon })).toEqual({ queued: 1 });
      expect(await readQueued()).toEqual([{ kind: 'friends', memberId: inviter.id, newFriends: 2 }]);
    });
});
