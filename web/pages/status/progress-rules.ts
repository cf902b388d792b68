import { brand } from '../../../brand/brand.ts';
import { countFriends, describeFriends } from '../../../contract/friend-words.ts';
import type { Member, NextTier } from '../../../contract/schemas.ts';
import { writeNumber } from '../../ui/numerals/write-number.ts';

type Standing = Pick<Member, 'position' | 'referral_count'> & Partial<Member>;
type Progress = Standing & Pick<Member, 'tier_level'>;

/** Returns an empty text without a change or an earlier position. */
export function describeSince(
  then: Partial<Member> | null,
  now: Standing,
  lead = 'Since you were here: ',
): string {
  if (then?.position === undefined || then.referral_count === undefined) return '';
  const joinedOf = (member: Partial<Member>) =>
    member.joined_referrals ?? member.referral_count ?? 0;
  const friends = joinedOf(now) - joinedOf(then);
  const places = then.position - now.position;
  const facts = [
    ...(friends > 0 ? [`${countFriends(friends)} joined`] : []),
    ...(places === 0 ? [] : [describeMove(places)]),
  ];
  if (facts.length === 0) return '';
  // A member who lost no friend can only have been overtaken.
  const isPassed = places < 0 && now.referral_count >= then.referral_count;
  return `${lead}${facts.join(', ')}${isPassed ? ', as others moved ahead' : ''}.`;
}

export function describeChange(before: Progress, now: Progress): string {
  const { referral_count: count } = now;
  const sentences: string[] = [];
  if (now.position !== before.position)
    sentences.push(
      `Your place is now #${writeNumber(now.position)}, it was #${writeNumber(before.position)}.`,
    );
  if (count !== before.referral_count)
    sentences.push(`You have ${count === 1 ? '1 referral' : `${count} referrals`}.`);
  const friends = describeFriends(now);
  if (friends !== '' && friends !== describeFriends(before)) sentences.push(`${friends}.`);
  if (before.is_confirmed === false && now.is_confirmed) sentences.push('Your place is confirmed.');
  if (now.tier_level > before.tier_level)
    sentences.push(`You have reached tier ${now.tier_level}.`);
  return sentences.join(' ');
}

/** Names the member's tier by the reward that it unlocks. */
export function describeTier({ tier_level: level }: Pick<Member, 'tier_level'>): string {
  const reward = brand.tiers[level - 1]?.reward;
  return `Tier ${level} reached${reward === undefined ? '' : `: ${reward}`}.`;
}

export function describeMove(places: number): string {
  const count = Math.abs(places);
  return `${writeNumber(count)} ${count === 1 ? 'place' : 'places'} ${places > 0 ? 'up' : 'back'}`;
}

export function countPlacesToGo(position: number): string {
  const places = position - brand.maskCount;
  return places === 1 ? '1 place to go' : `${writeNumber(places)} places to go`;
}

export function hasReachedTier(
  before: Partial<Member> | null,
  now: Pick<Member, 'tier_level'>,
): boolean {
  return before?.tier_level !== undefined && now.tier_level > before.tier_level;
}

export function hasEnteredTop(
  before: Partial<Member> | null,
  { position }: Pick<Member, 'position'>,
): boolean {
  return (before?.position ?? 0) > brand.maskCount && position <= brand.maskCount;
}

export function tierProgressPercent(referralCount: number, nextTier: NextTier): number {
  // Nothing of nothing is NaN.
  return Math.min(100, (referralCount / nextTier.required_referrals) * 100) || 0;
}
