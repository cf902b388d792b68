import type { Brand } from '../../../brand/brand-shape.ts';
import { partsOf } from '../../db/scheduled-work.ts';
import { readPositionsAt } from '../changes/change-store.ts';
import { countMoves } from '../changes/move-rules.ts';
import type { FriendChange } from '../line-rules.ts';
import { countTierChanges } from '../referrals/tier-rules.ts';
import {
  type CountChange,
  type DecidedCredit,
  type Decision,
  type DecisionPlan,
  planDecision,
  type Reader,
  readCountChanges,
  readCreditOf,
} from './credit-store.ts';

export type DecisionEffects = Awaited<ReturnType<typeof previewDecision>>;

export async function explainNoChange(reader: Reader, friendId: string): Promise<string> {
  const current = await readCreditOf(reader, friendId);
  if (current === null || current.credit === 'none')
    return 'There is no credit for this friend: they have left, or their referrer has.';
  const { credit, decided_by: decider } = current;
  return decider === 'operator'
    ? `An operator has decided already: the credit for this friend is ${credit}.`
    : `The credit for this friend is ${credit} already.`;
}

/** Friends, referrers or keys: the embedded engine looks them up in less than 50 ms. */
const READ_AT_ONCE = 1_000;

export async function previewDecision(
  reader: Reader,
  decision: Decision,
  { tiers, maskCount }: Pick<Brand, 'tiers' | 'maskCount'>,
) {
  const plan = await planInParts(reader, decision);
  const changes: CountChange[] = [];
  for await (const part of partsOf([...countByReferrer(plan.decided)], READ_AT_ONCE))
    changes.push(...(await readCountChanges(reader, new Map(part))));
  return {
    ...plan,
    ...(await countMovedBy(reader, changes, maskCount)),
    tiers: countTierChanges(
      tiers,
      changes.map(({ referrals, by }) => ({ before: referrals, after: referrals + by })),
    ),
  };
}

async function planInParts(reader: Reader, decision: Decision): Promise<DecisionPlan> {
  const plan = await planDecision(reader, { ...decision, friendIds: [] });
  const decided: DecidedCredit[] = [];
  // Neighbours in the table are decided together.
  for await (const part of partsOf(decision.friendIds.toSorted(), READ_AT_ONCE))
    decided.push(...(await planDecision(reader, { ...decision, friendIds: part })).decided);
  return { ...plan, decided };
}

/** `entering`: how many come into the top for those whom the decision takes out, or brings in. */
async function countMovedBy(
  reader: Reader,
  changes: readonly CountChange[],
  top: number,
): Promise<{ moved: number; entering: number }> {
  const moves = changes.map(({ sortKey, changedKey }) => ({ from: sortKey, to: changedKey }));
  const keys = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const positionAt = new Map<number, number>();
  let total = 0;
  for await (const part of partsOf(keys, READ_AT_ONCE)) {
    const line = await readPositionsAt(reader, part);
    total = line.total;
    for (const [key, position] of line.positionAt) positionAt.set(key, position);
  }
  // The position of a key counts everybody ahead, also who moves back to it.
  const isInTop = (key: number, isBack: boolean) =>
    (positionAt.get(key) ?? 0) - Number(isBack) <= top;
  return {
    moved: countMoves(moves, { total, positionAt }),
    entering: moves.filter(({ from, to }) => isInTop(from, false) !== isInTop(to, to > from))
      .length,
  };
}

function countByReferrer(decided: readonly DecidedCredit[]): Map<string, FriendChange> {
  const counts = new Map<string, FriendChange>();
  for (const { referrer_id: id, before, after, is_confirmed: isConfirmed } of decided) {
    const by = Number(after === 'given') - Number(before === 'given');
    if (by === 0) continue;
    const { confirmed, unconfirmed } = counts.get(id) ?? { confirmed: 0, unconfirmed: 0 };
    counts.set(id, {
      confirmed: confirmed + (isConfirmed ? by : 0),
      unconfirmed: unconfirmed + (isConfirmed ? 0 : by),
    });
  }
  return counts;
}
