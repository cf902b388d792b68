import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { type Pause, readPause, writePause } from '../changes/change-store.ts';

/** Visitors come back after this, because nobody knows when joining reopens. */
const RETRY_AFTER_SECONDS = 600;

export async function describePause(database: Database): Promise<Problem> {
  const pause = await readPause(database.kysely);
  const detail = pause?.message ?? 'Joining was paused for a moment. Please try again.';
  return new Problem('paused', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/**
 * Nobody can join from the commit on, on any server. Returns the pause before. The caller holds the
 * line lock. Throws Problem invalid_field.
 */
export async function pauseJoining(
  transaction: Transaction,
  { message }: { message: string },
): Promise<Pause | null> {
  if (!/^\P{C}+$/u.test(message) || message.trim() !== message)
    throw new Problem(
      'invalid_field',
      'The message must be one line of printable characters, without a space at either end.',
    );
  const before = await readPause(transaction);
  await writePause(transaction, { message, since: new Date() });
  return before;
}

/** Returns the pause. Throws Problem conflict when there is none. */
export async function reopenJoining(transaction: Transaction): Promise<Pause> {
  const before = await readPause(transaction);
  if (before === null) throw new Problem('conflict', 'Joining is not paused.');
  await writePause(transaction, null);
  return before;
}

/** Restores the pause for an undo, and returns the one before. The caller holds the line lock. */
export async function restorePause(
  transaction: Transaction,
  pause: Pause | null,
): Promise<Pause | null> {
  const now = await readPause(transaction);
  await writePause(transaction, pause);
  return now;
}
