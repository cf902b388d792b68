/**
 * The parts of a member's page below its first view. A chunk of its own, fetched after hydration:
 * number, face and invite come first.
 */
export { InviterCard } from '../inviter/inviter-card.tsx';
export { ReferralCard } from '../referrals/referral-card.tsx';
export { ChangeAnnouncement } from '../refresh/change-announcement.tsx';
export { ShareKit } from '../share/share-kit.tsx';
export { SizeCard } from '../sizes/size-card.tsx';
export { StatsRow } from './stats-row.tsx';
export { TeaserCard } from './teaser-card.tsx';
