import { useEffect, useState } from 'react';
import type { Member } from '../../../../contract/schemas.ts';
import type { JoinedMember } from '../../../api/answer-shapes.ts';
import { memberStorage } from '../../../browser/storage.ts';
import { toasts } from '../../../toasts.ts';
import { toastStore } from '../../../ui/toast/toast-store.ts';
import { takeOwnMark } from './own-link.ts';

type LastSeen = {
  /** As this browser showed them last: the stored record, and after a refresh the one before it. */
  readonly before: JoinedMember | null;
  /** As they were when this page was opened. */
  readonly lastVisit: JoinedMember | null;
};

const NEVER_SEEN = { member: null, before: null, lastVisit: null };

/**
 * What was shown of the member before; null if they never were. Stores who comes by a link of their
 * own, and keeps their record as fresh as the page. `member`: null until it is loaded.
 */
export function useLastSeen(member: Member | null): LastSeen {
  const [seen, setSeen] = useState<LastSeen & { readonly member: Member | null }>(NEVER_SEEN);
  if (member && seen.member !== member) {
    const lastVisit = seen.member ? seen.lastVisit : readStored(member.id);
    setSeen({ member, before: seen.member ?? lastVisit, lastVisit });
  }

  useEffect(() => {
    if (!member) return;
    const mark = takeOwnMark();
    if (mark || readStored(member.id)) memberStorage.write(member);
    if (mark === 'joined') toastStore.show(toasts.joined);
  }, [member]);

  return seen;
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
