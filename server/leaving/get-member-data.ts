import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { getSuppression } from '../mail/suppression.ts';
import { tierProgress } from '../rewards/tier-rules.ts';
import type { Recipient } from '../waitlist/get-recipients.ts';
import { unknownMember } from '../waitlist/member-id-rules.ts';
import { readKeptAnswers, readMailJobs, readMemberRow } from './store.ts';

/** Everything that is kept about a member, for themselves. Times are ISO 8601 in UTC. Throws Problem unknown_member. */
export async function getMemberData(
  database: Database,
  { brand, secretKey, member }: { brand: Brand; secretKey: string; member: Recipient },
) {
  const row = await readMemberRow(database, member.id);
  if (row === null) throw unknownMember();
  const [jobs, answers] = [await readMailJobs(database, member.id), await readKeptAnswers(database, member.id)];
  const suppression = await getSuppression(database, secretKey, member.identity);
  const { level, rewardsUnlocked } = tierProgress(brand.tiers, member.referralCount);
  return {
    exported_at: new Date(),
    member: {
      id: member.id,
      email: row.email,
      email_folded: row.email_identity,
      referral_code: member.referralCode,
      position: member.position,
      referral_count: member.referralCount,
      friends_joined: row.friends_joined,
      tier_level: level,
      rewards_unlocked: rewardsUnlocked,
      joined_at: row.joined_at,
      confirmed_at: row.confirmed_at,
      joined_by_invite: row.is_invited,
      inviter_credited: row.is_credited,
      in_first_hundred: row.is_in_hundred,
    },
    mail: {
      state: suppression?.reason ?? 'sending',
      since: suppression?.since ?? null,
      mails: jobs.map((job) => ({
        kind: job.kind,
        queued_at: job.created_on,
        ended_at: job.completed_on,
        state: job.outcome ?? job.state,
      })),
      last_told: {
        status_link_at: row.status_link_at,
        friends_at: row.friends_at,
        referral_count: row.told_referral_count,
        tier_level: row.told_tier_level,
        hundred_at: row.hundred_at,
      },
    },
    kept_join_answers: answers,
  };
}
