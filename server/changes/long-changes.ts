/** A change too large for one transaction goes on after it (decision 0143). */
import type { Database } from '../db/database.ts';
import { letOthersIn } from '../db/scheduled-work.ts';
import { lock, type Transaction } from '../db/transaction.ts';
import type { Engine, Work } from '../durable-work/work.ts';
import { listWork } from '../durable-work/work-store.ts';
import { Problem } from '../problem.ts';
import { endLongChange, readUndo } from './changes-store.ts';
import { type MailWatch, type Operation, type Operations, UNDO_FOR_MS } from './operation.ts';

/** How many items are done, and the last one of the last part. */
type Progress = {
  readonly isUndo: boolean;
  readonly last: string | null;
  readonly done: number;
  readonly summary: string;
};

export type LongChanges = Work<Progress>;

type LongOptions = {
  readonly database: Database;
  readonly operations: Operations;
  readonly watchMails?: MailWatch;
};

const KIND = 'change';

export function beginning(isUndo: boolean): Progress {
  return { isUndo, last: null, done: 0, summary: '' };
}

/** Keys are numbers of changes. */
export function openLongChanges(
  engine: Engine,
  { database, operations, watchMails }: LongOptions,
): LongChanges {
  return engine.addKind<Progress>({
    name: KIND,
    async run(job) {
      const change = Number(job.key);
      const { isUndo } = job.progress;
      const undo = await readUndo(database.kysely, change);
      const operation = undo && (operations[undo.action] as Operation);
      const work = operation?.long?.open(undo?.data as never, isUndo);
      const movesLine = operation?.lock === 'line';
      for (;;) {
        await job.step(async (transaction) => {
          const part = work?.partAfter(job.progress.last);
          if (!operation || !work || !part) {
            const until = isUndo ? null : new Date(Date.now() + UNDO_FOR_MS);
            await endLongChange(transaction, change, until);
            return null;
          }
          if (operation.lock !== null) await lock(transaction, operation.lock);
          const describeMails = await watchMails?.(transaction, { movesLine });
          const done = job.progress.done + (await part.make(transaction));
          await describeMails?.({ hasUndo: !isUndo });
          return { isUndo, last: part.last, done, summary: work.summarize(done) };
        });
        await letOthersIn();
      }
    },
  });
}

/** Throws Problem unavailable: a part of the change would count, and the rest would not. */
export async function assertNoLongChange(transaction: Transaction): Promise<void> {
  const [change] = await listWork(transaction, KIND);
  if (change !== undefined)
    throw new Problem(
      'unavailable',
      `Change ${change} is still being made: try again in a moment.`,
      { retryAfterSeconds: 5 },
    );
}
