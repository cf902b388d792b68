import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { OperatorMember } from '../../contract/operator/members.ts';
import type { Member } from '../../contract/schemas.ts';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open.ts';
import { prepareSizes } from '../../server/drop/stock/stock.ts';
import { confirmMember, removeMember } from '../../server/line/change-member.ts';
import { openStatusReader } from '../../server/line/get-status.ts';
import { type JoinAnswer, type JoinQueue, openJoinQueue } from '../../server/line/join/join.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { exportMembers } from '../../server/members/exports/export-line.ts';
import { openTestDatabase, type TestDatabase } from '../support/engines.ts';
import { patiently } from '../support/patiently.ts';
import { isAll } from '../support/test-form.ts';
import { findGaps } from './check-permutation.ts';
import { findUntruePositions } from './check-told-positions.ts';
import { spellings } from './spellings.ts';

const [OF_ONE, ALL, FRIENDS] = isAll ? [500, 2000, 200] : [100, 300, 60];
const settings = [
  { engine: 'embedded', nodes: 1 },
  ...(isAll ? [{ engine: 'postgres', nodes: 1 } as const] : []),
  { engine: 'postgres', nodes: 3 },
] as const;

describe.each(settings)('joins racing each other on $nodes x $engine', ({ engine, nodes }) => {
  let place: TestDatabase;
  let databases: Database[];
  let queues: JoinQueue[];

  beforeEach(async () => {
    place = await openTestDatabase(engine);
    const others = Array.from({ length: nodes - 1 }, () =>
      openDatabase({ ...place, log: () => {} }),
    );
    databases = [place.database, ...(await Promise.all(others))];
    await Promise.all(databases.map((database) => prepareSizes(database, brand)));
    queues = databases.map((database) => openJoinQueue({ database, brand }));
  });

  afterEach(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    await Promise.all(databases.slice(1).map((database) => database.close()));
    await place.close();
  });

  /** The nodes take turns. */
  async function joinAll(
    requests: { email: string; code?: string | null }[],
  ): Promise<JoinAnswer[]> {
    return await Promise.all(
      requests.map(async ({ email, code = null }, index) => {
        const queue = queues[index % nodes] as JoinQueue;
        const request = { email, referredBy: code, idempotencyKey: null };
        return await patiently(() => queue.join(request));
      }),
    );
  }

  async function joinOne(email: string): Promise<Member> {
    const [answer] = await joinAll([{ email }]);
    return JSON.parse(answer?.body ?? '');
  }

  async function readLine(): Promise<OperatorMember[]> {
    const line: OperatorMember[] = [];
    for await (const member of exportMembers(place.database, brand)) line.push(member);
    return line;
  }

  test(`${OF_ONE} joins of one address in 8 spellings are 1 member and 1 credit`, async () => {
    const inviter = await joinOne('inviter@example.com');
    const ways = spellings('one');
    const answers = await joinAll(
      Array.from({ length: OF_ONE }, (_, index) => ({
        email: ways[index % ways.length] ?? '',
        code: inviter.referral_code,
      })),
    );
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 409)).toHaveLength(OF_ONE - 1);
    const line = await readLine();
    expect(line).toHaveLength(2);
    expect(line.find((member) => member.id === inviter.id)?.referral_count).toBe(1);
    expect((await verifyLine(place.database)).differences).toEqual([]);
  });

  test(`${FRIENDS} friends of one member join at once, of whom ten count`, async () => {
    const inviter = await joinOne('inviter@example.com');
    await joinAll(
      Array.from({ length: FRIENDS }, (_, index) => ({
        email: `friend${index}@example.com`,
        code: inviter.referral_code,
      })),
    );
    const reader = openStatusReader({ database: place.database, brand });
    expect(await reader.getStatus(inviter.id)).toMatchObject({
      referral_count: 10,
      joined_referrals: FRIENDS,
      position: 1,
    });
    await reader.close();
    expect((await verifyLine(place.database)).differences).toEqual([]);
  });

  test(`${ALL} joins, half invited, get their true positions; 1..N is whole`, async () => {
    const first = await joinAll(
      Array.from({ length: 40 }, (_, index) => ({ email: `first${index}@example.com` })),
    );
    const codes = first.map((answer) => JSON.parse(answer.body).referral_code as string);
    const answers = await joinAll(
      Array.from({ length: ALL - 40 }, (_, index) => ({
        email: `m${index}@example.com`,
        code: index % 2 === 0 ? (codes[(index * index) % codes.length] ?? null) : null,
      })),
    );
    const members = [...first, ...answers].map((answer) => JSON.parse(answer.body) as Member);
    expect(findGaps((await readLine()).map((member) => member.position))).toEqual([]);
    const told = new Map(members.map((member) => [member.id, member.position]));
    expect(told.size).toBe(ALL);
    expect(await findUntruePositions(place.database, told)).toEqual([]);
    const oneOff = members.slice(-1).map(({ id, position }) => [id, position + 1] as const);
    expect(await findUntruePositions(place.database, new Map(oneOff))).toHaveLength(1);
    expect(await verifyLine(place.database)).toEqual({ members: ALL, differences: [] });
  });

  test('friends joining while others leave keep every count and position right', async () => {
    const inviter = await joinOne('inviter@example.com');
    const leavers = await joinAll(
      Array.from({ length: 60 }, (_, index) => ({
        email: `leaver${index}@example.com`,
        code: inviter.referral_code,
      })),
    );
    await Promise.all([
      joinAll(
        Array.from({ length: 60 }, (_, index) => ({
          email: `friend${index}@example.com`,
          code: inviter.referral_code,
        })),
      ),
      ...leavers.map(({ memberId }, index) =>
        patiently(() =>
          removeMember(databases[index % nodes] as Database, { memberId: memberId ?? '' }),
        ),
      ),
    ]);
    const line = await readLine();
    expect(line).toHaveLength(61);
    expect(line[0]).toMatchObject({ id: inviter.id, referral_count: 10 });
    expect((await verifyLine(place.database)).differences).toEqual([]);
  });

  describe('where a friend counts on confirming', () => {
    beforeEach(async () => {
      await Promise.all(queues.map((queue) => queue.close()));
      queues = databases.map((database) =>
        openJoinQueue({ database, brand, referralCredit: 'confirm' }),
      );
    });

    /** Each of them twice at once, on two nodes where there are two. */
    async function confirmAll(memberIds: readonly string[]): Promise<string[]> {
      return await Promise.all(
        [...memberIds, ...memberIds].map((memberId, index) =>
          patiently(() => confirmMember(databases[index % nodes] as Database, { memberId })),
        ),
      );
    }

    const friendsOf = (inviter: Member, name: string, length: number) =>
      Array.from({ length }, (_, index) => ({
        email: `${name}${index}@example.com`,
        code: inviter.referral_code,
      }));

    async function joinFriends(inviter: Member, name: string, length: number): Promise<string[]> {
      const answers = await joinAll(friendsOf(inviter, name, length));
      return answers.map(({ memberId }) => memberId ?? '');
    }

    test('100 friends confirm twice at once, while others join, each counting once', async () => {
      const inviter = await joinOne('inviter@example.com');
      const ids = await joinFriends(inviter, 'friend', 100);
      const [told] = await Promise.all([confirmAll(ids), joinFriends(inviter, 'late', 50)]);
      expect(new Set(told)).toEqual(new Set(['confirmed']));
      const line = await readLine();
      expect(line[0]).toMatchObject({ id: inviter.id, referral_count: 100 });
      const reader = openStatusReader({ database: place.database, brand });
      expect(await reader.getStatus(inviter.id)).toMatchObject({
        referral_count: 100,
        joined_referrals: 150,
      });
      await reader.close();
      expect(await verifyLine(place.database)).toEqual({ members: 151, differences: [] });
    });

    test('confirming and leaving at once keeps every count and position right', async () => {
      const inviters = [
        await joinOne('one@example.com'),
        await joinOne('two@example.com'),
      ] as const;
      const [staying, leaving] = await Promise.all([
        joinFriends(inviters[0], 'staying', 40),
        joinFriends(inviters[0], 'leaving', 40),
      ]);
      const orphaned = await joinFriends(inviters[1], 'orphaned', 40);
      const [, ...told] = await Promise.all([
        patiently(() => removeMember(databases[0] as Database, { memberId: inviters[1].id })),
        confirmAll(staying),
        confirmAll(leaving),
        confirmAll(orphaned),
        ...leaving.map((memberId, index) =>
          patiently(() => removeMember(databases[(index + 1) % nodes] as Database, { memberId })),
        ),
      ]);
      expect(told[0]).toEqual(Array(80).fill('confirmed'));
      const line = await readLine();
      expect(line).toHaveLength(81);
      expect(line[0]).toMatchObject({ id: inviters[0].id, referral_count: 40 });
      expect((await verifyLine(place.database)).differences).toEqual([]);
    });

    test('a friend leaving unconfirmed takes nothing; a late confirmation counts', async () => {
      const inviter = await joinOne('inviter@example.com');
      const [gone = '', here = ''] = await joinFriends(inviter, 'friend', 2);
      await removeMember(place.database, { memberId: gone });
      expect(await confirmMember(place.database, { memberId: gone })).toBe('unknown');
      queues.push(openJoinQueue({ database: place.database, brand, referralCredit: 'settle' }));
      await queues.at(-1)?.join({
        email: 'third@example.com',
        referredBy: inviter.referral_code,
        idempotencyKey: null,
      });
      const countOf = async () =>
        (await readLine()).find(({ id }) => id === inviter.id)?.referral_count;
      expect(await countOf()).toBe(1);
      await confirmAll([here]);
      expect(await countOf()).toBe(2);
      expect((await verifyLine(place.database)).differences).toEqual([]);
    });
  });
});
