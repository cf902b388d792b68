/** A change too large for one transaction goes on after it (decision 0143). */
import type { Database } from '../db/database.ts';
import { inTransaction, lock, type Transaction } from '../db/transaction.ts';
import { Problem } from '../problem.ts';
import { endLongChange, type LongChange, listLongChanges, readUndo } from './changes-store.ts';
import {
  type InPart,
  type MailWatch,
  type Operation,
  type Operations,
  UNDO_FOR_MS,
} from './operation.ts';

export type LongOptions = {
  readonly database: Database;
  readonly watchMails?: MailWatch;
  isStopping?(): boolean;
};

/** A server that is alive takes less time for a change. */
const ABANDONED_AFTER_MS = 15_000;

/** Returns the summary to answer with; null when the change is not done yet. */
export async function goOnWithChange(
  { database, watchMails, isStopping }: LongOptions,
  operation: Operation,
  { change, isUndo }: LongChange,
): Promise<string | null> {
  const isUnderWay = async (transaction: Transaction) =>
    (await listLongChanges(transaction)).some(
      (one) => one.change === change && one.isUndo === isUndo,
    );
  const inPart: InPart = async (work) => {
    if (isStopping?.()) return null;
    return await inTransaction(database, async (transaction) => {
      if (operation.lock !== null) await lock(transaction, operation.lock);
      // Another server may have ended the change, and an operator undone it.
      if (!(await isUnderWay(transaction))) return null;
      const describeMails = await watchMails?.(transaction, {
        movesLine: operation.lock === 'line',
      });
      const done = await work(transaction);
      await describeMails?.({ hasUndo: !isUndo });
      return done;
    });
  };
  const undo = await readUndo(database.kysely, change);
  if (undo === null || operation.long === undefined) return null;
  const summary = await operation.long.goOn(undo.data as never, { isUndo, inPart });
  if (summary !== null)
    await endLongChange(database, change, isUndo ? null : new Date(Date.now() + UNDO_FOR_MS));
  return summary;
}

export async function goOnWithChanges(
  options: LongOptions & { readonly operations: Operations },
): Promise<void> {
  const until = new Date(Date.now() - ABANDONED_AFTER_MS);
  const abandoned = await listLongChanges(options.database.kysely, until);
  for (const { action, ...change } of abandoned)
    await goOnWithChange(options, options.operations[action] as Operation, change);
}

/** Throws Problem unavailable: a part of the change would count, and the rest would not. */
export async function assertNoLongChange(transaction: Transaction): Promise<void> {
  const [first] = await listLongChanges(transaction);
  if (first !== undefined)
    throw new Problem(
      'unavailable',
      `Change ${first.change} is still being made: try again in a moment.`,
      { retryAfterSeconds: 5 },
    );
}
