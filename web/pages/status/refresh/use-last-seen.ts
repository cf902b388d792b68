import { useEffect, useState } from 'react';
import type { Member } from '../../../../contract/schemas.ts';
import type { JoinedMember } from '../../../api/answer-shapes.ts';
import { memberStorage } from '../../../browser/storage.ts';

/**
 * The member as this browser showed them last: at first what is stored of them, after a refresh what the page said before
 * it. null when they were not seen before. The stored record, if it is theirs, is kept as fresh as the page.
 */
export function useLastSeen(member: Member): JoinedMember | null {
  const [seen, setSeen] = useState(() => ({ member, before: readStored(member.id) }));
  if (seen.member !== member) setSeen({ member, before: seen.member });

  useEffect(() => {
    if (readStored(member.id)) memberStorage.write(member);
  }, [member]);

  return seen.before;
}

/** Whether a tier was reached since the member was last seen. A first sight tells no news. */
export function hasReachedTier(before: JoinedMember | null, now: Pick<Member, 'tier_level'>): boolean {
  return before?.tier_level !== undefined && now.tier_level > before.tier_level;
}

function readStored(memberId: string): JoinedMember | null {
  const stored = memberStorage.read();
  return stored?.id === memberId ? stored : null;
}
