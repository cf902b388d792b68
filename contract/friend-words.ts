import type { Member } from './schemas.ts';

type Friends = Pick<Member, 'joined_referrals' | 'confirmed_referrals' | 'settled_referrals'>;

/** How a page and a freeze count friends; empty without any. */
export function describeFriends({
  joined_referrals: joined = 0,
  confirmed_referrals: confirmed = 0,
  settled_referrals: settled = 0,
}: Partial<Friends>): string {
  if (joined === 0) return '';
  const counting = `${settled} ${settled === 1 ? 'counts' : 'count'}`;
  return `${countFriends(joined)}, ${confirmed} confirmed, ${counting}`;
}

/** What a freeze counts; empty when every friend counts. `day`: of the freeze, if public. */
export function describeSettling(
  { joined_referrals: joined = 0, settled_referrals: settled = joined }: Partial<Friends>,
  day: string | null,
): string {
  if (settled === joined) return '';
  const on = day === null ? '' : ` on ${day}`;
  return (
    `Only confirmed friends count when the line freezes${on}, one of each mailbox. ` +
    'They confirm by the link in their mail.'
  );
}

/** "Tue, Nov 24" */
export function writeDay(at: Date, language: string, timeZone?: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  return new Intl.DateTimeFormat(language, { ...day, timeZone }).format(at);
}

export function countFriends(count: number): string {
  return count === 1 ? '1 friend' : `${count} friends`;
}
