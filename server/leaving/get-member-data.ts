import type { Brand } from '../../brand/brand-shape.ts';
import type { Database } from '../db/database.ts';
import { getSuppression } from '../mail/suppression/suppression.ts';
import { tierProgress } from '../rewards/tier-rules.ts';
import type { Recipient } from '../waitlist/get-recipients.ts';
import { unknownMember } from '../waitlist/member-id-rules.ts';
import { countFriends, readMailJobs, readRowsOfMember } from './store.ts';

/**
 * Everything that is kept about a member, for themselves: first as a person reads it, then every row as it stands. Times are
 * ISO 8601 in UTC. Throws Problem unknown_member.
 */
export async function getMemberData(
  database: Database,
  { brand, secretKey, member }: { brand: Brand; secretKey: string; member: Recipient },
) {
  const rows = await readRowsOfMember(database, member.id);
  const own = rows?.member?.[0];
  if (own === undefined) throw unknownMember();
  const jobs = await readMailJobs(database, member.id);
  const suppression = await getSuppression(database, secretKey, member.identity);
  const { level, rewardsUnlocked } = tierProgress(brand.tiers, member.referralCount);
  return {
    exported_at: new Date(),
    member: {
      id: member.id,
      email: own.email,
      referral_code: member.referralCode,
      position: member.position,
      joined_at: own.joined_at,
      confirmed_at: own.confirmed_at,
      joined_by_invite: own.is_invited,
      referral_count: member.referralCount,
      friends_in_line: await countFriends(database, member.id),
      tier_level: level,
      rewards_unlocked: rewardsUnlocked,
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
    },
    rows,
  };
}
