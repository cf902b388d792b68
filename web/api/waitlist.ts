/** The calls of docs/behaviour.md 7. All reject with an ApiError. */
import { apiPaths, fillPath, IDEMPOTENCY_KEY_HEADER, PROOF_HEADER } from '../../contract/paths.ts';
import type {
  Faces,
  JoinEntry,
  Member,
  ReferralVerification,
  Stats,
} from '../../contract/schemas.ts';
import { SOURCE_HEADER } from '../../contract/sources.ts';
import {
  isFaces,
  isJoinedMember,
  isMember,
  isReferralVerification,
  isStats,
  type JoinedMember,
  readChallenge,
} from './answer-shapes.ts';
import { ApiError } from './api-error.ts';
import { type CallOptions, request } from './request.ts';

export type JoinAttempt = JoinEntry & {
  /** Idempotency key of the join, so that a retry does not end in 'already registered'. */
  readonly idempotencyKey: string;
  readonly source?: string;
};

type JoinOptions = CallOptions & {
  readonly onProof?: () => void;
};

/** Number of proofs per join: the second one replaces an expired proof. */
const MAX_PROOFS = 2;
/** Statuses of a proxy whose server broke off; null means no answer. */
const LOST_ANSWERS: readonly (number | null)[] = [null, 502, 504];
/** Delay of the retry, after which a proxy uses another server. */
const SEND_AGAIN_AFTER_MS = 500;

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

/** Sends a join again whose answer was lost: its key makes it idempotent. */
async function sendJoinSafely(
  attempt: JoinAttempt,
  proof: string | null,
  options: CallOptions,
): Promise<JoinedMember> {
  try {
    return await sendJoin(attempt, proof, options);
  } catch (error) {
    if (!isLostAnswer(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, SEND_AGAIN_AFTER_MS));
    return sendJoin(attempt, proof, options);
  }
}

/** Whether a join is sent again. A time-out is final, because the visitor waited long. */
function isLostAnswer(error: unknown): boolean {
  if (!(error instanceof ApiError) || !LOST_ANSWERS.includes(error.status)) return false;
  return !(error.cause instanceof Error && error.cause.name === 'AbortError');
}

function sendJoin(
  { referredBy, idempotencyKey, source, ...entered }: JoinAttempt,
  proof: string | null,
  options: CallOptions,
): Promise<JoinedMember> {
  const headers = {
    [IDEMPOTENCY_KEY_HEADER]: idempotencyKey,
    ...(source && { [SOURCE_HEADER]: source }),
    ...(proof !== null && { [PROOF_HEADER]: proof }),
  };
  const post = { body: { ...entered, referred_by: referredBy }, headers };
  return request(apiPaths.join, 'Failed to join waitlist', isJoinedMember, { ...options, post });
}

export function getStatus(memberId: string, options?: CallOptions): Promise<Member> {
  return request(fillPath(apiPaths.status, memberId), 'Failed to get status', isMember, options);
}

export function confirmAddress(token: string): Promise<unknown> {
  const isAny = (_body: unknown): _body is unknown => true;
  return request(apiPaths.confirm, 'Failed to confirm', isAny, { post: { body: { token } } });
}

export function getStats(options?: CallOptions): Promise<Stats> {
  return request(apiPaths.stats, 'Failed to get stats', isStats, options);
}

export function getFaces(): Promise<Faces> {
  return request(apiPaths.faces, 'Failed to get faces', isFaces);
}

export function verifyReferral(code: string, options?: CallOptions): Promise<ReferralVerification> {
  const path = fillPath(apiPaths.verifyReferral, code);
  return request(path, 'Failed to verify referral', isReferralVerification, options);
}
