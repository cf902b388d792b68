import { useEffect, useState } from 'react';
import type { Member } from '../../../../contract/schemas.ts';
import type { JoinedMember } from '../../../api/answer-shapes.ts';
import { memberStorage } from '../../../browser/storage.ts';

/**
 * The member as this browser showed them last: the stored record, and after a refresh the record
 * before it. null if never shown. Keeps the stored record, if it is theirs, as fresh as the page.
 */
export function useLastSeen(member: Member): JoinedMember | null {
  const [seen, setSeen] = useState(() => ({ member, before: readStored(member.id) }));
  if (seen.member !== member) setSeen({ member, before: seen.member });

  useEffect(() => {
    if (readStored(member.id)) memberStorage.write(member);
  }, [member]);

  return seen.before;
}

/** Whether a tier was reached since the member was last shown; false if they never were. */
export function hasReachedTier(
  before: JoinedMember | null,
  now: Pick<Member, 'tier_level'>,
): boolean {
  return before?.tier_level !== undefined && now.tier_level > before.tier_level;
}

function readStored(memberId: string): JoinedMember | null {
  const stored = memberStorage.read();
  return stored?.id === memberId ? stored : null;
}
