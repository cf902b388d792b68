/** What operators change while others join, confirm and leave, on several nodes. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { OperatorMember } from '../../contract/operator/members.ts';
import { inTransaction, lock, type Transaction } from '../../server/db/transaction.ts';
import { confirmMember, removeMember } from '../../server/line/change-member.ts';
import { adjustPoints } from '../../server/line/changes/adjust-points.ts';
import { removeMembers, restoreMembers } from '../../server/line/changes/change-store.ts';
import { correctAddress } from '../../server/line/changes/correct-address.ts';
import {
  type Decision,
  decideCredits,
  planDecision,
  undoDecision,
} from '../../server/line/credits/credit-store.ts';
import { verifyLine } from '../../server/line/verify/verify-line.ts';
import { Problem } from '../../server/problem.ts';
import { patiently } from '../support/patiently.ts';
import { isAll } from '../support/test-form.ts';
import { findGaps } from './check-permutation.ts';
import { named, openNodes } from './open-nodes.ts';

const settings = [
  ...(isAll ? [{ engine: 'embedded', nodes: 1 } as const] : []),
  { engine: 'postgres', nodes: 3 },
] as const;
const UNTIL = new Date(Date.now() + 3600_000);
const FRIENDS = 40;

describe.each(settings)('changes racing joins on $nodes x $engine', ({ engine, nodes }) => {
  const { database, node, readLine, ...line } = openNodes(engine, nodes);
  const joinAll = async (name: string, count: number, code: string | null) =>
    (await line.joinAll(named(name, count, code))).map(({ memberId }) => memberId ?? '');

  function act<T>(index: number, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(node(index), async (transaction) => {
      await lock(transaction, 'line');
      return await work(transaction);
    });
  }

  async function startLine(): Promise<{ star: OperatorMember; friends: string[] }> {
    await joinAll('star', 1, null);
    const [star] = await readLine();
    if (star === undefined) throw new Error('Nobody joined.');
    return { star, friends: await joinAll('friend', FRIENDS, star.referral_code) };
  }

  test('removals, undos and points leave every count and position right', async () => {
    const { star, friends } = await startLine();
    const groups = [friends.slice(0, 10), friends.slice(5, 15), friends.slice(20, 30)];
    const removals = groups.map((ids, index) => {
      const removalId = randomUUID();
      return act(index, (transaction) =>
        removeMembers(transaction, ids, { removalId, until: UNTIL }),
      ).then(({ removed }) => ({ removalId, removed }));
    });
    const points = friends.map((memberId, index) =>
      act(index, (transaction) =>
        adjustPoints(transaction, { memberId, by: index - 20 || 1 }),
      ).catch(expectUnknown),
    );
    const [made] = await Promise.all([
      Promise.all(removals),
      joinAll('late', 30, star.referral_code),
      ...points,
    ]);
    // Each member is in one of the removals at most, whichever came first.
    expect(made.reduce((sum, { removed }) => sum + removed, 0)).toBe(25);
    expect((await verifyLine(database())).differences).toEqual([]);

    const undone = await Promise.all([
      ...made.map(({ removalId }, index) =>
        act(index, (transaction) => restoreMembers(transaction, removalId)),
      ),
      joinAll('later', 20, star.referral_code).then(() => ({ restored: 0, leftOut: 0 })),
    ]);
    expect(undone.reduce((sum, { restored }) => sum + restored, 0)).toBe(25);
    const line = await readLine();
    expect(line).toHaveLength(1 + FRIENDS + 50);
    expect(line.find(({ id }) => id === star.id)?.referral_count).toBe(10);
    expect(findGaps(line.map(({ position }) => position))).toEqual([]);
    expect((await verifyLine(database())).differences).toEqual([]);
  });

  test('decisions, undos, joins and removals leave every count right', async () => {
    const { star, friends } = await startLine();
    const decide = async (index: number, wanted: Pick<Decision, 'friendIds' | 'state'>) => {
      const decision = { ...wanted, needsConfirmation: false, alsoDecided: false };
      const plan = await planDecision(node(index).kysely, decision);
      return await act(index, (transaction) => decideCredits(transaction, plan));
    };
    const operator = friends.map((id, index) =>
      decide(index, {
        friendIds: [id],
        state: index % 3 === 0 ? 'refused' : 'given',
      }),
    );
    const again = friends.map((id, index) =>
      decide(index + 1, { friendIds: [id], state: 'refused' }),
    );
    const [first, second, held] = await Promise.all([
      Promise.all(operator),
      Promise.all(again),
      decide(2, { friendIds: friends, state: 'held' }),
      joinAll('late', 30, star.referral_code),
      ...friends
        .slice(0, 5)
        .map((memberId, index) => patiently(() => removeMember(node(index), { memberId }))),
    ]);
    // One of two operators decides about a friend, the other one finds nothing to decide.
    const made = first.map((one, index) => [one, second[index] ?? one] as const);
    for (const [one, other] of made)
      expect(one.decided.length + other.decided.length).toBeLessThanOrEqual(1);
    const countGiven = async () =>
      Number(
        (
          await database().runSql(
            `select count(*)::integer as given from member where credit = 'given'`,
          )
        ).rows.map((row) => (row as { given: number }).given)[0],
      );
    const countOfStar = async () =>
      (await readLine()).find(({ id }) => id === star.id)?.referral_count;
    expect(await countOfStar()).toBe(Math.min(10, await countGiven()));
    expect((await verifyLine(database())).differences).toEqual([]);

    await Promise.all([
      ...made.flat().map((one, index) => act(index, (by) => undoDecision(by, one))),
      act(1, (transaction) => undoDecision(transaction, held)),
      joinAll('later', 20, star.referral_code),
    ]);
    const line = await readLine();
    expect(line).toHaveLength(1 + FRIENDS - 5 + 50);
    expect(await countOfStar()).toBe(Math.min(10, await countGiven()));
    expect(findGaps(line.map(({ position }) => position))).toEqual([]);
    expect((await verifyLine(database())).differences).toEqual([]);
  });

  test('a removed member whose address joins at the same moment is one member', async () => {
    const { star, friends } = await startLine();
    const removalId = randomUUID();
    await act(0, (transaction) => removeMembers(transaction, friends, { removalId, until: UNTIL }));
    const [result, ids] = await Promise.all([
      act(1, (transaction) => restoreMembers(transaction, removalId)),
      joinAll('friend', FRIENDS, star.referral_code),
    ]);
    const rejoined = ids.filter((id) => id !== '').length;
    expect(result).toEqual({ restored: FRIENDS - rejoined, leftOut: rejoined });
    const line = await readLine();
    expect(line).toHaveLength(1 + FRIENDS);
    expect(line.find(({ id }) => id === star.id)?.referral_count).toBe(10);
    expect((await verifyLine(database())).differences).toEqual([]);
  });

  test('one address goes to one member, whoever joins, corrects or leaves', async () => {
    const { friends } = await startLine();
    const email = 'wanted0@example.com';
    const corrections = friends.map((memberId, index) =>
      act(index, (transaction) => correctAddress(transaction, { memberId, email })).then(
        () => 1,
        (error: unknown) => {
          expect(error).toMatchObject({
            detail: expect.stringMatching(/^(Another member has this address|No member in line)/),
          });
          return 0;
        },
      ),
    );
    const leaving = friends
      .slice(0, 10)
      .map((memberId, index) => patiently(() => removeMember(node(index), { memberId })));
    const confirming = friends.map((memberId, index) =>
      patiently(() => confirmMember(node(index), { memberId })),
    );
    const [won] = await Promise.all([
      Promise.all(corrections),
      joinAll('wanted', 1, null),
      ...leaving,
      ...confirming,
    ]);
    expect(won.filter((one) => one === 1).length).toBeLessThanOrEqual(11);
    const line = await readLine();
    expect(line.filter((member) => member.email === email).length).toBeLessThanOrEqual(1);
    expect(new Set(line.map((member) => member.email)).size).toBe(line.length);
    expect((await verifyLine(database())).differences).toEqual([]);
  });
});

/** The member was removed first. */
function expectUnknown(error: unknown): void {
  expect(error).toBeInstanceOf(Problem);
  expect(error).toMatchObject({ code: 'unknown_member' });
}
