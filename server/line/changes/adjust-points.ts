import type { Transaction } from '../../db/transaction.ts';
import { conflict } from '../../problem.ts';
import { MAX_ADJUSTMENT, points } from '../line-rules.ts';
import { getChanging, readPositionsAt, writeAdjustment } from './change-store.ts';
import { countMoves } from './move-rules.ts';

/** The caller holds the line lock. Throws Problem unknown_member, or conflict beyond the limit. */
export async function adjustPoints(
  transaction: Transaction,
  { memberId, by }: { memberId: string; by: number },
) {
  const member = await getChanging(transaction, memberId);
  const { id, email, point_adjustment: before, sort_key: from } = member;
  if (Math.abs(before + by) > MAX_ADJUSTMENT)
    throw conflict(
      `This member was given ${before} points before, and all together may be from ` +
        `-${MAX_ADJUSTMENT} to ${MAX_ADJUSTMENT}.`,
    );
  const to = await writeAdjustment(transaction, { id, by });
  const line = await readPositionsAt(transaction, [from, to]);
  const positionAt = new Map([
    [from, (line.positionAt.get(from) ?? 0) - Number(to < from)],
    [to, (line.positionAt.get(to) ?? 0) + Number(from < to)],
  ]);
  const credits = { credits: member.referral_count, isInvited: member.is_invited };
  return {
    email,
    points: {
      before: points({ ...credits, adjustment: before }),
      after: points({ ...credits, adjustment: before + by }),
    },
    position: {
      before: positionAt.get(from) ?? 0,
      after: line.positionAt.get(to) ?? 0,
    },
    moved: countMoves([{ from, to }], { total: line.total, positionAt }),
  };
}
