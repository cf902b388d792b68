import { readReferralCode } from '../../../contract/referral-code-rules.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { deleteHold, insertHold, readOwnerId } from './hold-store.ts';

/** Whose code, in the spelling in which it is kept. */
export type HeldCode = { readonly code: string; readonly memberId: string };

/**
 * All further credits of the code are held, or no longer. The caller holds the line lock. Throws
 * Problem, one sentence, also when nothing would change.
 */
export async function setCodeHold(
  transaction: Transaction,
  { code: text, isOnHold }: { code: string; isOnHold: boolean },
): Promise<HeldCode> {
  const code = readReferralCode(text) ?? '';
  const memberId = await readOwnerId(transaction, code);
  if (memberId === null) throw new Problem('unknown_member', `No member has the code ${text}.`);
  const isChanged = await (isOnHold ? insertHold : deleteHold)(transaction, memberId);
  if (!isChanged)
    throw new Problem(
      'conflict',
      isOnHold
        ? `All further credits of ${code} are held already.`
        : `Further credits of ${code} are not held.`,
    );
  return { code, memberId };
}
