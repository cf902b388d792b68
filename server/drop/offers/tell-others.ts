/** Mails everybody who was not offered a mask, once, a part at a time. */
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { lockDropIn } from '../steps/drop-state.ts';
import { countOthers, readOthers, readTelling, writeTold } from './others-store.ts';

/** Joins are kept waiting for as long as their mails take to queue. */
const AT_A_TIME = 500;

/** From now on `takeOthers` returns them. Throws Problem conflict the second time. */
export async function startTelling(
  transaction: Transaction,
): Promise<{ readonly number: number; readonly others: number }> {
  const { number, frozen_at, others_told_until, offering_at } = await lockDropIn(
    transaction,
    'offering',
    'closed',
  );
  if (offering_at === null || frozen_at === null)
    throw new Problem('conflict', `No mask of drop ${number} was offered to anybody.`);
  if (others_told_until !== null)
    throw new Problem('conflict', `Everybody else was told about drop ${number} already.`);
  const others = await countOthers(transaction, { number, frozen_at });
  await writeTold(transaction, { number, next: 0 });
  return { number, others };
}

/** The next members to be told, whom no later call returns again. Empty when there are none. */
export async function takeOthers(transaction: Transaction): Promise<string[]> {
  const telling = await readTelling(transaction);
  if (telling === null) return [];
  const others = await readOthers(transaction, telling, AT_A_TIME);
  const last = others.at(-1);
  const isLastPart = last === undefined || others.length < AT_A_TIME;
  const next = isLastPart ? null : last.sequence + 1;
  await writeTold(transaction, { number: telling.number, next });
  return others.map(({ id }) => id);
}
