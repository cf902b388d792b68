import type { Brand } from '../../../brand/brand-shape.ts';
import { partsOf } from '../../db/scheduled-work.ts';
import { readPositionsAt } from '../changes/change-store.ts';
import { countMoves } from '../changes/move-rules.ts';
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
  const known = await readCreditOf(reader, friendId);
  if (known === null || known.credit === 'none')
    return 'There is no credit for this friend: they have left, or their referrer has.';
  const { credit, decided_by: decider } = known;
  return decider === 'operator'
    ? `An operator has decided already: the credit for this friend is ${credit}.`
    : `The credit for this friend is ${credit} already.`;
}

/** Friends, referrers or keys: the embedded engine looks them up in less than 50 ms. */
const READ_AT_ONCE = 1_000;

export async function previewDecision(
  reader: Reader,
  decision: Decision,
  { tiers }: Pick<Brand, 'tiers'>,
) {
  const plan = await planInParts(reader, decision);
  const changes: CountChange[] = [];
  for await (const part of partsOf([...countByReferrer(plan.decided)], READ_AT_ONCE))
    changes.push(...(await readCountChanges(reader, new Map(part))));
  return {
    ...plan,
    moved: await countMovedBy(reader, changes),
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

async function countMovedBy(reader: Reader, changes: readonly CountChange[]): Promise<number> {
  const moves = changes.map(({ sortKey, changedKey }) => ({ from: sortKey, to: changedKey }));
  const keys = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const positionAt = new Map<number, number>();
  let total = 0;
  for await (const part of partsOf(keys, READ_AT_ONCE)) {
    const line = await readPositionsAt(reader, part);
    total = line.total;
    for (const [key, position] of line.positionAt) positionAt.set(key, position);
  }
  return countMoves(moves, { total, positionAt });
}

function countByReferrer(decided: readonly DecidedCredit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { referrer_id: id, before, after } of decided) {
    const by = Number(after === 'given') - Number(before === 'given');
    if (by !== 0) counts.set(id, (counts.get(id) ?? 0) + by);
  }
  return counts;
}
