/** What a queued mail says, by the state of its member at the moment of sending. */
import type { Tier } from '../../brand/brand-shape.ts';
import type { MailContent } from '../../contract/mails.ts';
import { HUNDRED } from '../news/hundred-rules.ts';
import { tierProgress } from '../rewards/tier-rules.ts';
import type { MailRequest } from './queue.ts';

type Recipient = { readonly position: number; readonly referralCount: number; readonly isConfirmed: boolean };

type MailSources = {
  readonly tiers: readonly Tier[];
  readonly confirmLink: string;
  readonly confirmDays: number;
  /** For friends to confirm: who asks for the status link before that needs the other link, the first of which may have expired. */
  readonly isCreditWaiting: boolean;
};

/** Null for what has become untrue since: a place that is confirmed, a tier that was lost again, a return to the hundred. */
export function mailContent(
  request: MailRequest,
  { position, referralCount, isConfirmed }: Recipient,
  { tiers, confirmLink, confirmDays, isCreditWaiting }: MailSources,
): MailContent | null {
  const confirm = { kind: 'confirm', position, confirmLink, validDays: confirmDays } as const;
  const { level, nextTier, rewardsUnlocked } = tierProgress(tiers, referralCount);
  switch (request.kind) {
    case 'welcome':
      return { kind: 'welcome', position };
    case 'status-link':
      return isCreditWaiting && !isConfirmed ? confirm : { kind: 'status-link', position };
    case 'confirm':
      return isConfirmed ? null : confirm;
    case 'friends':
      return { kind: 'friends', newFriends: request.newFriends, referralCount, position, nextTier };
    case 'tier': {
      const reward = rewardsUnlocked[request.level - 1];
      return request.level > level || reward === undefined
        ? null
        : { kind: 'tier', level: request.level, reward, nextTier };
    }
    case 'hundred':
      return request.isInside === position <= HUNDRED
        ? { kind: 'hundred', isInside: request.isInside, position }
        : null;
  }
}
