/** What the pages read of an answer, checked by hand: a schema library would weigh more than the pages do. */
import type { Member, ProofChallenge, ReferralVerification, Stats } from '../../contract/schemas.ts';

type Fields = Readonly<Record<string, unknown>>;

/** SPEC 3: the answer of a join is the member record with at least its id. */
export type JoinedMember = Pick<Member, 'id'> & Partial<Member>;

export function isJoinedMember(value: unknown): value is JoinedMember {
  return isObject(value) && isFilled(value.id);
}

export function isMember(value: unknown): value is Member {
  return (
    isObject(value) &&
    isFilled(value.id) &&
    isFilled(value.email) &&
    isFilled(value.referral_code) &&
    isNumber(value.position) &&
    isNumber(value.referral_count) &&
    isNumber(value.tier_level) &&
    isNextTier(value.next_tier) &&
    Array.isArray(value.rewards_unlocked) &&
    value.rewards_unlocked.every((reward) => typeof reward === 'string') &&
    (value.pending_referrals === undefined || isNumber(value.pending_referrals))
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
  return value.valid ? isFilled(value.referrer_email) : true;
}

/** The challenge that a join is refused with until it comes solved; null in any other answer. The solver checks what is in it. */
export function readChallenge(body: unknown): ProofChallenge | null {
  return isObject(body) && isObject(body.challenge) ? (body.challenge as ProofChallenge) : null;
}

/** SPEC 3: an object, or absent. */
function isNextTier(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return isObject(value) && isNumber(value.required_referrals) && typeof value.reward === 'string';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
