import { sql } from 'kysely';
import type { ListedMember } from '../../../contract/operator/member-list.ts';
import { isoTime } from '../../db/iso-time.ts';

export type OwnPageField = 'next_tier' | 'rewards_unlocked' | 'rewards_waiting' | 'is_confirmed';

export type MemberRow = Omit<ListedMember, OwnPageField | 'points' | 'tier_level'>;

/** Selects a MemberRow from `member` with its standing and position, and `memberJoins`. */
export const memberColumns = sql`
  member.id, member.email, member.referral_code, member.referral_count,
  member.referral_count - counting_friends(0, member.unconfirmed) as confirmed_referrals,
  member.position,
  member.is_invited, member.point_adjustment, referrer.referral_code as referred_by,
  ${isoTime(sql`member.joined_at`)} as joined_at,
  ${isoTime(sql`member.confirmed_at`)} as confirmed_at, source.utm_source, source.utm_medium,
  source.utm_campaign, source.referring_host, source.via, member.credit,
  coalesce(suppression.reason, 'sending') as mail_state`;

export const memberJoins = sql`
  join source on source.id = coalesce(member.source_id, 0)
  left join lateral (
    select referral_code from member inviting where inviting.id = member.referrer_id offset 0
  ) referrer on true
  left join lateral (
    select reason from mail_suppression where member_id = member.id limit 1
  ) suppression on true`;
