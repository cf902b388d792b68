/** SPEC 7: the calls of the site. All reject with an ApiError. */
import { apiPaths, IDEMPOTENCY_KEY_HEADER } from '../../contract/paths.ts';
import type { Member, ReferralVerification, Stats } from '../../contract/schemas.ts';
import { isJoinedMember, isMember, isReferralVerification, isStats, type JoinedMember } from './answer-shapes.ts';
import { request } from './request.ts';

export type JoinAttempt = {
  readonly email: string;
  /** null: nobody invited. */
  readonly referredBy: string | null;
  /** The same for every retry of the same attempt, so that a lost answer is not 'already registered'. */
  readonly idempotencyKey: string;
};

type Options = { readonly signal?: AbortSignal };

export function joinWaitlist(
  { email, referredBy, idempotencyKey }: JoinAttempt,
  options: Options = {},
): Promise<JoinedMember> {
  return request({
    path: apiPaths.join(),
    fallback: 'Failed to join waitlist',
    isExpected: isJoinedMember,
    post: { body: { email, referred_by: referredBy }, headers: { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey } },
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

export function getStats(options: Options = {}): Promise<Stats> {
  return request({ path: apiPaths.stats(), fallback: 'Failed to get stats', isExpected: isStats, ...options });
}

export function verifyReferral(code: string, options: Options = {}): Promise<ReferralVerification> {
  return request({
    path: apiPaths.verifyReferral(code),
    fallback: 'Failed to verify referral',
    isExpected: isReferralVerification,
    ...options,
  });
}
