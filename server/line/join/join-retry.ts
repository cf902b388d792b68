import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../../problem.ts';
import { lineUnavailable } from '../store.ts';

/** The pool may hand out a broken connection again before it notices. */
const PAUSE_MS = 100;

type Candidate = { readonly key_hash: string | null };
type Decide<C, A> = (candidates: readonly C[]) => Promise<(A | Problem)[]>;

/**
 * Decides a batch, and retries it once after a failure:
 * - the database refused a statement, so nothing was written: each alone, so that one bad join does
 *   not fail the others;
 * - the connection broke, so the batch may have been written: only joins with an Idempotency-Key,
 *   whose retry answers what the first try wrote. Others might be answered as already registered.
 */
export async function decideWithRetry<C extends Candidate, A>(
  candidates: readonly C[],
  decide: Decide<C, A>,
): Promise<(A | Problem)[]> {
  try {
    return await decide(candidates);
  } catch (error) {
    return isRolledBack(error)
      ? await decideEachAlone(candidates, decide)
      : await decideWithKey(candidates, decide, error);
  }
}

async function decideEachAlone<C, A>(
  candidates: readonly C[],
  decide: Decide<C, A>,
): Promise<(A | Problem)[]> {
  const answers: (A | Problem)[] = [];
  let lostConnection: unknown;
  for (const candidate of candidates) {
    if (lostConnection !== undefined) {
      answers.push(lineUnavailable(lostConnection));
      continue;
    }
    try {
      answers.push(...(await decide([candidate])));
    } catch (error) {
      if (!isRolledBack(error)) lostConnection = error;
      answers.push(lineUnavailable(error));
    }
  }
  return answers;
}

async function decideWithKey<C extends Candidate, A>(
  candidates: readonly C[],
  decide: Decide<C, A>,
  cause: unknown,
): Promise<(A | Problem)[]> {
  const withKey = candidates.filter((candidate) => candidate.key_hash !== null);
  await pause(PAUSE_MS);
  const answers = withKey.length > 0 ? await decide(withKey).catch(() => []) : [];
  const answerOf = new Map(withKey.map((candidate, index) => [candidate, answers[index]]));
  return candidates.map((candidate) => answerOf.get(candidate) ?? lineUnavailable(cause));
}

/** SQL states of lost connections and shutdowns (08, 57, 58), and of an unknown outcome (40003). */
const UNKNOWN_OUTCOME = /^(?:08|57|58|40003)/;
const SQL_STATE = /^(?:[0-9][0-9A-Z]|P0)[0-9A-Z]{3}$/;

function isRolledBack(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SQL_STATE.test(code) && !UNKNOWN_OUTCOME.test(code);
}
