import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../../problem.ts';
import { lineUnavailable } from '../store.ts';
import type { JoinRequest } from './join-request.ts';

/** The pool may hand out a broken connection again before it notices. */
const PAUSE_MS = 100;

type Keyed = Pick<JoinRequest, 'idempotencyKey'>;
type Decide<J, A> = (joins: readonly J[]) => Promise<(A | Problem)[]>;

/**
 * Decides a batch, and retries it once after a failure:
 * - the database refused a statement, so nothing was written: each alone, so that one bad join does
 *   not fail the others;
 * - the connection broke, so the batch may have been written: only joins with an Idempotency-Key,
 *   whose retry answers what the first try wrote. Others might be answered as already registered.
 */
export async function decideWithRetry<J extends Keyed, A>(
  joins: readonly J[],
  decide: Decide<J, A>,
): Promise<(A | Problem)[]> {
  try {
    return await decide(joins);
  } catch (error) {
    return isRolledBack(error)
      ? await decideEachAlone(joins, decide)
      : await decideWithKey(joins, decide, error);
  }
}

async function decideEachAlone<J, A>(
  joins: readonly J[],
  decide: Decide<J, A>,
): Promise<(A | Problem)[]> {
  const answers: (A | Problem)[] = [];
  let lostConnection: unknown;
  for (const join of joins) {
    if (lostConnection !== undefined) {
      answers.push(lineUnavailable(lostConnection));
      continue;
    }
    try {
      answers.push(...(await decide([join])));
    } catch (error) {
      if (!isRolledBack(error)) lostConnection = error;
      answers.push(lineUnavailable(error));
    }
  }
  return answers;
}

async function decideWithKey<J extends Keyed, A>(
  joins: readonly J[],
  decide: Decide<J, A>,
  cause: unknown,
): Promise<(A | Problem)[]> {
  const withKey = joins.filter((join) => join.idempotencyKey !== null);
  await pause(PAUSE_MS);
  const answers = withKey.length > 0 ? await decide(withKey).catch(() => []) : [];
  const answerOf = new Map(withKey.map((join, index) => [join, answers[index]]));
  return joins.map((join) => answerOf.get(join) ?? lineUnavailable(cause));
}

/** SQL states of lost connections and shutdowns (08, 57, 58), and of an unknown outcome (40003). */
const UNKNOWN_OUTCOME = /^(?:08|57|58|40003)/;
const SQL_STATE = /^(?:[0-9][0-9A-Z]|P0)[0-9A-Z]{3}$/;

function isRolledBack(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return SQL_STATE.test(code) && !UNKNOWN_OUTCOME.test(code);
}
