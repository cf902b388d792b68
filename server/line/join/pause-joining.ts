import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import { type Pause, readPause, writePause } from '../changes/change-store.ts';

/** Visitors may retry after this, because nobody knows when joining reopens. */
const RETRY_AFTER_SECONDS = 600;

export async function describePause(database: Database): Promise<Problem> {
  const pause = await readPause(database.kysely);
  const detail = pause?.message ?? 'Joining was paused for a moment. Please try again.';
  return new Problem('paused', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

export async function pauseJoining(
  transaction: Transaction,
  { message }: { message: string },
): Promise<Pause | null> {
  if (!/^\P{C}+$/u.test(message) || message.trim() !== message)
    throw invalidField(
      'The message must be one line of printable characters, without a space at either end.',
    );
  return await writePause(transaction, { message, since: new Date().toISOString() });
}

export async function reopenJoining(transaction: Transaction): Promise<Pause> {
  const before = await writePause(transaction, null);
  if (before === null) throw conflict('Joining is not paused.');
  return before;
}
