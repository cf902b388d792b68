import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { readMemberId } from '../member-id-rules.ts';
import { type ChangingMember, readChanging } from './change-store.ts';

/** The member whom an operator changes. Throws Problem unknown_member. */
export async function getChanging(
  transaction: Transaction,
  memberId: string,
): Promise<ChangingMember> {
  const id = readMemberId(memberId);
  const [member] = id === null ? [] : await readChanging(transaction, [id]);
  if (member === undefined)
    throw new Problem('unknown_member', 'No member in line has this id: they may have left.');
  return member;
}
