import { countOf } from '../../changes/count-words.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict } from '../../problem.ts';
import type { DropRow } from '../steps/drop-store.ts';
import { WAIT_FOR_LATE_MS } from './entry-rules.ts';
import { countEntries, noteEntered, readEntered } from './entry-store.ts';

/** Fixes who takes part, before anybody can know the randomness; empty where all do. */
export async function closeWindow(
  transaction: Transaction,
  drop: DropRow,
  now: Date,
): ReturnType<typeof readEntered> {
  const { number, enter_until: until } = drop;
  if (until === null) return {};
  if (now < until)
    throw conflict('Members can still enter by card: announce the draw after that time.');
  const { entering } = await countEntries({ kysely: transaction }, number);
  if (entering > 0 && now.getTime() < until.getTime() + WAIT_FOR_LATE_MS)
    throw conflict(
      `${countOf(entering, 'checkout is', 'checkouts are')} being ended: announce the draw in ` +
        'some minutes.',
    );
  await noteEntered(transaction, number);
  return await readEntered({ kysely: transaction }, drop);
}
