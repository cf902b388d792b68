import { useEffect, useRef, useState } from 'react';
import type { Member } from '../../../../contract/schemas.ts';

type Progress = Pick<Member, 'position' | 'referral_count' | 'tier_level'>;

/** The sentence for a screen reader when a refresh brings something new; empty until then. */
export function useChangeNews(member: Progress): string {
  const [news, setNews] = useState('');
  const { position, referral_count, tier_level } = member;
  const before = useRef<Progress>({ position, referral_count, tier_level });

  useEffect(() => {
    const now = { position, referral_count, tier_level };
    const text = describeChange(before.current, now);
    before.current = now;
    if (text !== '') setNews(text);
  }, [position, referral_count, tier_level]);

  return news;
}

export function describeChange(before: Progress, now: Progress): string {
  const sentences: string[] = [];
  if (now.position !== before.position)
    sentences.push(`Your place is now #${now.position}, it was #${before.position}.`);
  if (now.referral_count !== before.referral_count) sentences.push(`You have ${countFriends(now.referral_count)}.`);
  if (now.tier_level > before.tier_level) sentences.push(`You have reached tier ${now.tier_level}.`);
  return sentences.join(' ');
}

function countFriends(count: number): string {
  return count === 1 ? '1 referral' : `${count} referrals`;
}
