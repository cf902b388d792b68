import type { Transaction } from '../../db/transaction.ts';
import { readEmail } from '../../mail/email-rules.ts';
import { Problem } from '../../problem.ts';
import { readMemberId } from '../member-id-rules.ts';
import { findIdOf, findRemovedId, isRemoved, readChanging } from './change-store.ts';

/**
 * The member, by id or e-mail address, of whom anything is stored: in line, or removed so lately
 * that they could come back. Throws Problem unknown_member.
 */
export async function findErasable(
  transaction: Transaction,
  text: string,
): Promise<{ readonly id: string; readonly isInLine: boolean }> {
  const id = readMemberId(text.trim()) ?? (await findByAddress(transaction, text));
  if (id !== null && (await readChanging(transaction, [id])).length > 0)
    return { id, isInLine: true };
  if (id !== null && (await isRemoved(transaction, id))) return { id, isInLine: false };
  throw new Problem(
    'unknown_member',
    'Nobody with this id or address is in line, and nothing is kept about a removed member.',
  );
}

async function findByAddress(transaction: Transaction, text: string): Promise<string | null> {
  const identity = readEmail(text)?.identity;
  if (identity === undefined) return null;
  return (await findIdOf(transaction, identity)) ?? (await findRemovedId(transaction, identity));
}
