/** A change too large for one transaction goes on after it (decision 0143). */
import type { Database } from '../db/database.ts';
import { letOthersIn } from '../db/scheduled-work.ts';
import { inTransaction, lock, type Transaction } from '../db/transaction.ts';
import { Problem } from '../problem.ts';
import {
  endLongChange,
  type LongChange,
  listLongChanges,
  readUndo,
  writeProgress,
} from './changes-store.ts';
import {
  type LongWork,
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

/** A server that is alive takes less time for a part. */
const ABANDONED_AFTER_MS = 15_000;

/** Returns the summary to answer with; null when the change is not done yet. */
export async function goOnWithChange(
  options: LongOptions,
  operation: Operation,
  long: LongChange,
): Promise<string | null> {
  const undo = await readUndo(options.database.kysely, long.change);
  const work = undo && operation.long?.open(undo.data as never, long.isUndo);
  if (!work) return null;
  for (;;) {
    if (options.isStopping?.()) return null;
    const end = await inTransaction(options.database, (transaction) =>
      makePart(transaction, options, { operation, work, long }),
    );
    if (end !== 'goes on') return end?.summary ?? null;
    await letOthersIn();
  }
}

type PartOptions = {
  readonly operation: Operation;
  readonly work: LongWork;
  readonly long: LongChange;
};

/** Makes the part after the last commit, whichever server made that. Null: it was ended. */
async function makePart(
  transaction: Transaction,
  { watchMails }: LongOptions,
  { operation, work, long }: PartOptions,
): Promise<{ readonly summary: string } | 'goes on' | null> {
  const { change, isUndo } = long;
  if (operation.lock !== null) await lock(transaction, operation.lock);
  const found = (await listLongChanges(transaction)).find(
    (one) => one.change === change && one.isUndo === isUndo,
  );
  if (found === undefined) return null;
  const part = work.partAfter(found.last);
  if (part === null) {
    await endLongChange(transaction, change, isUndo ? null : new Date(Date.now() + UNDO_FOR_MS));
    return { summary: work.summarize(found.done) };
  }
  const describeMails = await watchMails?.(transaction, { movesLine: operation.lock === 'line' });
  const done = await part.make(transaction);
  await describeMails?.({ hasUndo: !isUndo });
  await writeProgress(transaction, change, { last: part.last, done });
  return 'goes on';
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
