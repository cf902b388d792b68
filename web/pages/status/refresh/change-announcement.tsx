import { useEffect, useRef, useState } from 'react';
import type { Member } from '../../../../contract/schemas.ts';
import { writeNumber } from '../../../ui/numerals/write-number.ts';
import { describePending } from '../referrals/pending-friends.tsx';

type Progress = Pick<
  Member,
  | 'position'
  | 'referral_count'
  | 'tier_level'
  | 'pending_referrals'
  | 'held_referrals'
  | 'is_confirmed'
>;

/** What a screen reader says after a refresh with changes; empty until then. */
export function ChangeAnnouncement({ member }: { member: Progress }) {
  const [announcement, setAnnouncement] = useState('');
  const before = useRef<Progress>(member);

  useEffect(() => {
    const text = describeChange(before.current, member);
    before.current = member;
    if (text !== '') setAnnouncement(text);
  }, [member]);

  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  );
}

export function describeChange(before: Progress, now: Progress): string {
  const sentences: string[] = [];
  if (now.position !== before.position)
    sentences.push(
      `Your place is now #${writeNumber(now.position)}, it was #${writeNumber(before.position)}.`,
    );
  if (now.referral_count !== before.referral_count)
    sentences.push(`You have ${countFriends(now.referral_count)}.`);
  const isWaiting = describePending(now) !== '';
  const hasChanged =
    now.pending_referrals !== before.pending_referrals ||
    now.held_referrals !== before.held_referrals;
  if (isWaiting && hasChanged) sentences.push(`${describePending(now)}.`);
  if (before.is_confirmed === false && now.is_confirmed) sentences.push('Your place is confirmed.');
  if (now.tier_level > before.tier_level)
    sentences.push(`You have reached tier ${now.tier_level}.`);
  return sentences.join(' ');
}

function countFriends(count: number): string {
  return count === 1 ? '1 referral' : `${count} referrals`;
}
