import { beforeEach, describe, expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import type { Member } from '../../contract/schemas.ts';
import type { Database } from '../../server/db/database.ts';
import { confirmMember, removeMember } from '../../server/line/change-member.ts';
import { openStatusReader } from '../../server/line/get-status.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { patiently } from '../support/patiently.ts';
import { isAll } from '../support/test-form.ts';
import { findGaps } from './check-permutation.ts';
import { LineModel } from './model.ts';
import { named, openNodes } from './open-nodes.ts';
import { spellings } from './spellings.ts';

const [OF_ONE, ALL, FRIENDS] = isAll ? [500, 2000, 200] : [100, 300, 60];
const settings = [
  { engine: 'embedded', nodes: 1 },
  ...(isAll ? [{ engine: 'postgres', nodes: 1 } as const] : []),
  { engine: 'postgres', nodes: 3 },
] as const;

describe.each(settings)('joins racing each other on $nodes x $engine', ({ engine, nodes }) => {
  const { database, node, creditBy, joinAll, readLine } = openNodes(engine, nodes);

  async function joinOne(email: string): Promise<Member> {
    const [answer] = await joinAll([{ email }]);
    return JSON.parse(answer?.body ?? '');
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
    expect((await verifyLine(database())).differences).toEqual([]);
  });

  test(`${FRIENDS} friends of one member join at once, of whom ten count`, async () => {
    const inviter = await joinOne('inviter@example.com');
    await joinAll(named('friend', FRIENDS, inviter.referral_code));
    const reader = openStatusReader({ database: database(), brand });
    expect(await reader.getStatus(inviter.id)).toMatchObject({
      referral_count: 10,
      joined_referrals: FRIENDS,
      position: 1,
    });
    await reader.close();
    expect((await verifyLine(database())).differences).toEqual([]);
  });

  test(`${ALL} joins, half invited, get their true positions; 1..N is whole`, async () => {
    const first = await joinAll(named('first', 40));
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
    expect(await findUntruePositions(database(), told)).toEqual([]);
    const oneOff = members.slice(-1).map(({ id, position }) => [id, position + 1] as const);
    expect(await findUntruePositions(database(), new Map(oneOff))).toHaveLength(1);
    expect(await verifyLine(database())).toEqual({ members: ALL, differences: [] });
  });

  test('friends joining while others leave keep every count and position right', async () => {
    const inviter = await joinOne('inviter@example.com');
    const leavers = await joinAll(named('leaver', 60, inviter.referral_code));
    await Promise.all([
      joinAll(named('friend', 60, inviter.referral_code)),
      ...leavers.map(({ memberId }, index) =>
        patiently(() => removeMember(node(index), { memberId: memberId ?? '' })),
      ),
    ]);
    const line = await readLine();
    expect(line).toHaveLength(61);
    expect(line[0]).toMatchObject({ id: inviter.id, referral_count: 10 });
    expect((await verifyLine(database())).differences).toEqual([]);
  });

  describe('where a friend counts on confirming', () => {
    beforeEach(() => creditBy('confirm'));

    /** Each of them twice at once, on two nodes where there are two. */
    async function confirmAll(memberIds: readonly string[]): Promise<string[]> {
      return await Promise.all(
        [...memberIds, ...memberIds].map((memberId, index) =>
          patiently(() => confirmMember(node(index), { memberId })),
        ),
      );
    }

    async function joinFriends(inviter: Member, name: string, length: number): Promise<string[]> {
      const answers = await joinAll(named(name, length, inviter.referral_code));
      return answers.map(({ memberId }) => memberId ?? '');
    }

    test('100 friends confirm twice at once, while others join, each counting once', async () => {
      const inviter = await joinOne('inviter@example.com');
      const ids = await joinFriends(inviter, 'friend', 100);
      const [told] = await Promise.all([confirmAll(ids), joinFriends(inviter, 'late', 50)]);
      expect(new Set(told)).toEqual(new Set(['confirmed']));
      const line = await readLine();
      expect(line[0]).toMatchObject({ id: inviter.id, referral_count: 100 });
      const reader = openStatusReader({ database: database(), brand });
      expect(await reader.getStatus(inviter.id)).toMatchObject({
        referral_count: 100,
        joined_referrals: 150,
      });
      await reader.close();
      expect(await verifyLine(database())).toEqual({ members: 151, differences: [] });
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
        patiently(() => removeMember(node(0), { memberId: inviters[1].id })),
        confirmAll(staying),
        confirmAll(leaving),
        confirmAll(orphaned),
        ...leaving.map((memberId, index) =>
          patiently(() => removeMember(node(index + 1), { memberId })),
        ),
      ]);
      expect(told[0]).toEqual(Array(80).fill('confirmed'));
      const line = await readLine();
      expect(line).toHaveLength(81);
      expect(line[0]).toMatchObject({ id: inviters[0].id, referral_count: 40 });
      expect((await verifyLine(database())).differences).toEqual([]);
    });

    test('a friend leaving unconfirmed takes nothing; a late confirmation counts', async () => {
      const inviter = await joinOne('inviter@example.com');
      const [gone = '', here = ''] = await joinFriends(inviter, 'friend', 2);
      await removeMember(database(), { memberId: gone });
      expect(await confirmMember(database(), { memberId: gone })).toBe('unknown');
      await creditBy('settle');
      await joinFriends(inviter, 'third', 1);
      const countOf = async () =>
        (await readLine()).find(({ id }) => id === inviter.id)?.referral_count;
      expect(await countOf()).toBe(1);
      await confirmAll([here]);
      expect(await countOf()).toBe(2);
      expect((await verifyLine(database())).differences).toEqual([]);
    });
  });
});

/**
 * Members who were told a wrong position when they joined, one sentence each. `told` maps member
 * ids to the positions told. A batch joins at one instant, so the line is built up again batch by
 * batch from the members' own instants. Holds while nobody has been removed.
 */
async function findUntruePositions(
  database: Database,
  told: ReadonlyMap<string, number>,
): Promise<string[]> {
  const rows = await database.kysely
    .selectFrom('member')
    .select(['id', 'referrer_id', 'sequence'])
    .select(({ fn }) =>
      fn
        .agg<number>('dense_rank')
        .over((over) => over.orderBy('joined_at'))
        .as('batch'),
    )
    .orderBy('sequence')
    .execute();
  const model = new LineModel();
  const untrue: string[] = [];
  for (const batch of Map.groupBy(rows, (row) => row.batch).values()) {
    for (const { id, referrer_id: code } of batch) {
      const [answer] = model.joinTogether([{ name: id, email: id, code, key: null }]);
      if (answer?.kind === 'joined') Object.assign(answer.member, { id, code: id.toUpperCase() });
    }
    const places = new Map(model.inOrder().map((member, index) => [member.id, index + 1]));
    for (const { id } of batch) {
      const place = places.get(id);
      const said = told.get(id);
      if (said !== undefined && said !== place)
        untrue.push(`${id} was told ${said} and was ${place}.`);
    }
  }
  return untrue;
}
