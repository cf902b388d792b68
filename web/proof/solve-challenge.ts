/** The browser derives keys on its own threads, so the page stays responsive without a worker. */
import { solveChallenge as findSolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { ProofChallenge } from '../../contract/schemas.ts';
import { ApiError } from '../api/api-error.ts';

const TIMEOUT_MS = 30_000;

const TOO_SLOW = 'The check took too long on this device. Please try again.';
const UNSUPPORTED =
  'The check does not run in this browser. Please try again with another one, or later.';

export async function solveChallenge(challenge: ProofChallenge): Promise<string> {
  const solution = await findSolution({ challenge, deriveKey, timeout: TIMEOUT_MS }).catch(
    (cause: unknown) => {
      throw notSolved(UNSUPPORTED, cause);
    },
  );
  if (solution === null) throw notSolved(TOO_SLOW);
  return btoa(JSON.stringify({ challenge, solution }));
}

function notSolved(detail: string, cause?: unknown): ApiError {
  return new ApiError(detail, { status: 428, detail, cause });
}
