/** What is done when the database fails a batch of joins. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../problem.ts';
import { lineUnavailable } from './line-unavailable.ts';

/** The pool needs a moment to notice that a connection is broken; asked at once it would hand out the same one again. */
const PAUSE_MS = 100;

type Candidate = { readonly keyHash: string | null };
type Decide<C, A> = (candidates: readonly C[]) => Promise<(A | Problem)[]>;

/**
 * Decides a batch; after a failure, once more:
 * - the database refused a statement, so nothing of the batch is written: each alone, so that one that it cannot
 *   take does not fail the others;
 * - the connection broke, so the batch may have been written: only those with an Idempotency-Key, whose second try answers
 *   what the first one wrote. A second try of the others could tell people that they were there already.
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
      : await decideThoseWithKey(candidates, decide, error);
  }
}

async function decideEachAlone<C, A>(candidates: readonly C[], decide: Decide<C, A>): Promise<(A | Problem)[]> {
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

async function decideThoseWithKey<C extends Candidate, A>(
  candidates: readonly C[],
  decide: Decide<C, A>,
  cause: unknown,
): Promise<(A | Problem)[]> {
  const withKey = candidates.filter((candidate) => candidate.keyHash !== null);
  await pause(PAUSE_MS);
  const answers = withKey.length > 0 ? await decide(withKey).catch(() => []) : [];
  const answerOf = new Map(withKey.map((candidate, index) => [candidate, answers[index]]));
  return candidates.map((candidate) => answerOf.get(candidate) ?? lineUnavailable(cause));
}

/** Classes 08, 57 and 58 are lost connections and shutdowns, 40003 says itself that the outcome is unknown. */
const UNKNOWN_OUTCOME = /^(?:08|57|58|40003)/;
const SQL_STATE = /^(?:[0-9][0-9A-Z]|P0)[0-9A-Z]{3}$/;

function isRolledBack(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SQL_STATE.test(code) && !UNKNOWN_OUTCOME.test(code);
}
