/** Checks the shape of answers by hand: a schema library would weigh more than the pages. */
import type {
  Faces,
  Member,
  ProofChallenge,
  ReferralVerification,
  Stats,
} from '../../contract/schemas.ts';

export type JoinedMember = Pick<Member, 'id'> & Partial<Member>;

export function isJoinedMember(value: unknown): value is JoinedMember {
  return isObject(value) && isNonEmpty(value.id);
}

export function isMember(value: unknown): value is Member {
  if (!isObject(value)) return false;
  const { position, referral_count, tier_level, next_tier: next } = value;
  const { joined_referrals = 0, confirmed_referrals = 0, settled_referrals = 0 } = value;
  const friends = [referral_count, joined_referrals, confirmed_referrals, settled_referrals];
  const { rewards_unlocked: rewards } = value;
  const numbers = [position, tier_level, ...friends];
  return (
    [value.id, value.email, value.referral_code].every(isNonEmpty) &&
    numbers.every(isNumber) &&
    (next === null || next === undefined || isNextTier(next)) &&
    Array.isArray(rewards) &&
    rewards.every((reward) => typeof reward === 'string')
  );
}

export function isStats(value: unknown): value is Stats {
  return (
    isObject(value) &&
    isNumber(value.total_signups) &&
    isNumber(value.available_masks) &&
    Array.isArray(value.top_referrers) &&
    value.top_referrers.every((referrer) => isObject(referrer) && isNumber(referrer.referrals))
  );
}

export function isFaces(value: unknown): value is Faces {
  return isObject(value) && Array.isArray(value.faces) && value.faces.every(isNonEmpty);
}

export function isReferralVerification(value: unknown): value is ReferralVerification {
  if (!isObject(value) || typeof value.valid !== 'boolean') return false;
  return value.valid ? isNonEmpty(value.referrer_email) : true;
}

/** The proof-of-work challenge of a refused join, or null. The solver checks its content. */
export function readChallenge(body: unknown): ProofChallenge | null {
  return isObject(body) && isObject(body.challenge) ? (body.challenge as ProofChallenge) : null;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isNextTier(value: unknown): boolean {
  return isObject(value) && isNumber(value.required_referrals) && typeof value.reward === 'string';
}

function isNonEmpty(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
