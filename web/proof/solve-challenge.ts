/**
 * Solves the challenge that a join is answered with when risk is raised: a chunk of its own, fetched only then. The browser derives
 * keys on threads of its own, so the page stays free without a worker.
 */
import { solveChallenge as findSolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { ProofChallenge } from '../../contract/schemas.ts';
import { ApiError } from '../api/api-error.ts';

/** Many times what the slowest phone takes. */
const PATIENCE_MS = 30_000;

const NOT_IN_TIME = 'The check took too long on this device. Please try again.';
const NOT_HERE = 'The check does not run in this browser. Please try again with another one, or later.';

/** What to send in the header. Rejects with an ApiError for who waits. */
export async function solveChallenge(challenge: ProofChallenge): Promise<string> {
  const solution = await findSolution({ challenge, deriveKey, timeout: PATIENCE_MS }).catch((cause: unknown) => {
    throw notSolved(NOT_HERE, cause);
  });
  if (solution === null) throw notSolved(NOT_IN_TIME);
  return btoa(JSON.stringify({ challenge, solution }));
}

function notSolved(detail: string, cause?: unknown): ApiError {
  return new ApiError(detail, { status: 428, detail, cause });
}
