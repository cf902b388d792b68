/** Checks the shape of answers by hand: a schema library would weigh more than the pages. */
import type {
  Member,
  ProofChallenge,
  ReferralVerification,
  Stats,
} from '../../contract/schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A join answers the member record with at least its id. */
export type JoinedMember = Pick<Member, 'id'> & Partial<Member>;

export function isJoinedMember(value: unknown): value is JoinedMember {
  return isObject(value) && isNonEmpty(value.id);
}

export function isMember(value: unknown): value is Member {
  return (
    isObject(value) &&
    isNonEmpty(value.id) &&
    isNonEmpty(value.email) &&
    isNonEmpty(value.referral_code) &&
    isNumber(value.position) &&
    isNumber(value.referral_count) &&
    isNumber(value.tier_level) &&
    isNextTier(value.next_tier) &&
    Array.isArray(value.rewards_unlocked) &&
    value.rewards_unlocked.every((reward) => typeof reward === 'string') &&
    [value.pending_referrals, value.held_referrals].every(
      (count) => count === undefined || isNumber(count),
    )
  );
}

export function isStats(value: unknown): value is Stats {
  return (
    isObject(value) &&
    isNumber(value.total_signups) &&
    isNumber(value.available_masks) &&
    Array.isArray(value.top_referrers) &&
    value.top_referrers.every((one) => isObject(one) && isNumber(one.referrals))
  );
}

export function isReferralVerification(value: unknown): value is ReferralVerification {
  if (!isObject(value) || typeof value.valid !== 'boolean') return false;
  return value.valid ? isNonEmpty(value.referrer_email) : true;
}

/** The proof-of-work challenge of a refused join, or null. The solver checks its content. */
export function readChallenge(body: unknown): ProofChallenge | null {
  return isObject(body) && isObject(body.challenge) ? (body.challenge as ProofChallenge) : null;
}

/** The next tier is an object, or absent. */
function isNextTier(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return isObject(value) && isNumber(value.required_referrals) && typeof value.reward === 'string';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isNonEmpty(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
