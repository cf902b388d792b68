/** What members do about their entry, by the link in their mail. Idempotent; throws Problem. */
import { lock, type Transaction } from '../../db/transaction.ts';
import { conflict, Problem } from '../../problem.ts';
import { mayEnter } from './entry-rules.ts';
import { releaseEntries, upsertEntry } from './entry-store.ts';
import { readStanding } from './get-entries.ts';

export async function enterDrop(transaction: Transaction, memberId: string): Promise<void> {
  await lock(transaction, 'sizes');
  const standing = await readStanding({ kysely: transaction }, memberId);
  if (standing === null) throw new Problem('not_found', 'There is no drop that you can enter.');
  if (mayEnter(standing)) return await upsertEntry(transaction, standing);
  if (standing.state === 'releasing')
    throw conflict('Your card is being released. Please try again in a minute.');
  const isIn = standing.state !== null && standing.state !== 'released';
  if (!isIn) throw conflict('The time to enter is over.');
}

export async function withdrawEntry(transaction: Transaction, memberId: string): Promise<void> {
  await lock(transaction, 'sizes');
  const standing = await readStanding({ kysely: transaction }, memberId);
  if (standing === null) throw new Problem('not_found', 'You have not entered a drop.');
  if (standing.has_pass) throw conflict('You are drawn: the mask is yours.');
  await releaseEntries(transaction, { number: standing.number, why: 'withdrawn', memberId });
}
