/** The calls of the site: docs/behaviour.md 7. All reject with an ApiError. */
import { apiPaths, IDEMPOTENCY_KEY_HEADER, PROOF_HEADER } from '../../contract/paths.ts';
import type { Member, ReferralVerification, Stats } from '../../contract/schemas.ts';
import { SOURCE_HEADER } from '../../contract/sources.ts';
import {
  isJoinedMember,
  isMember,
  isReferralVerification,
  isStats,
  type JoinedMember,
  readChallenge,
} from './answer-shapes.ts';
import { ApiError } from './api-error.ts';
import { request } from './request.ts';

export type JoinAttempt = {
  readonly email: string;
  /** null without an invite. */
  readonly referredBy: string | null;
  /** Kept over retries, so that a lost answer does not end in 'already registered'. */
  readonly idempotencyKey: string;
  /** Where the visitor came from, as the header takes it; empty when nothing is known. */
  readonly source?: string;
};

type Options = { readonly signal?: AbortSignal };

type JoinOptions = Options & {
  /** Called when the server asks for a proof of work. */
  readonly onProof?: () => void;
};

/** The second one replaces a proof that expired on the way. */
const MAX_PROOFS = 2;
/** What a proxy answers when its server broke off; null: nothing came. */
const LOST_ANSWERS: readonly (number | null)[] = [null, 502, 504];
/** By then a proxy has turned to another server. */
const SEND_AGAIN_AFTER_MS = 500;

/** When the server asks for a proof of work, computes it and sends the same join again with it. */
export async function joinWaitlist(
  attempt: JoinAttempt,
  { onProof, ...options }: JoinOptions = {},
): Promise<JoinedMember> {
  let proof: string | null = null;
  for (let proofsMade = 0; ; proofsMade += 1) {
    try {
      return await sendJoinSafely(attempt, proof, options);
    } catch (error) {
      const challenge =
        error instanceof ApiError && error.status === 428 ? readChallenge(error.body) : null;
      if (challenge === null || proofsMade === MAX_PROOFS) throw error;
      onProof?.();
      proof = await (await import('../proof/solve-challenge.ts')).solveChallenge(challenge);
    }
  }
}

/** Once more when the answer was lost: by its key the second one is the same join. */
async function sendJoinSafely(
  attempt: JoinAttempt,
  proof: string | null,
  options: Options,
): Promise<JoinedMember> {
  try {
    return await sendJoin(attempt, proof, options);
  } catch (error) {
    if (!isLostAnswer(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, SEND_AGAIN_AFTER_MS));
    return sendJoin(attempt, proof, options);
  }
}

/** Not after a time-out: by then the visitor has waited long enough. */
function isLostAnswer(error: unknown): boolean {
  if (!(error instanceof ApiError) || !LOST_ANSWERS.includes(error.status)) return false;
  return !(error.cause instanceof Error && error.cause.name === 'AbortError');
}

function sendJoin(
  { email, referredBy, idempotencyKey, source }: JoinAttempt,
  proof: string | null,
  options: Options,
): Promise<JoinedMember> {
  return request({
    path: apiPaths.join(),
    fallback: 'Failed to join waitlist',
    isExpected: isJoinedMember,
    post: {
      body: { email, referred_by: referredBy },
      headers: {
        [IDEMPOTENCY_KEY_HEADER]: idempotencyKey,
        ...(source && { [SOURCE_HEADER]: source }),
        ...(proof !== null && { [PROOF_HEADER]: proof }),
      },
    },
    ...options,
  });
}

export function getStatus(memberId: string, options: Options = {}): Promise<Member> {
  return request({
    path: apiPaths.status(memberId),
    fallback: 'Failed to get status',
    isExpected: isMember,
    ...options,
  });
}

/** Asks that somebody look at the member's held credits again, and returns the member. */
export function askSecondLook(memberId: string): Promise<Member> {
  return request({
    path: apiPaths.secondLook(memberId),
    fallback: 'Failed to ask for a second look',
    isExpected: isMember,
    post: { body: {}, headers: {} },
  });
}

export function getStats(options: Options = {}): Promise<Stats> {
  return request({
    path: apiPaths.stats(),
    fallback: 'Failed to get stats',
    isExpected: isStats,
    ...options,
  });
}

export function verifyReferral(code: string, options: Options = {}): Promise<ReferralVerification> {
  return request({
    path: apiPaths.verifyReferral(code),
    fallback: 'Failed to verify referral',
    isExpected: isReferralVerification,
    ...options,
  });
}
