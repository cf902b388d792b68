import type { Recipient } from '../../line/get-recipients.ts';
import { unknownMember } from '../../line/member-id-rules.ts';
import { tierProgress } from '../../line/referrals/tier-rules.ts';
import { getSource } from '../../line/sources/source-store.ts';
import { readSuppression } from '../../mail/suppression/store.ts';
import type { Platform } from '../../module.ts';
import { readMailJobs, readRowsOfMember } from './store.ts';

export async function getMemberData({ database, brand, secretKey }: Platform, member: Recipient) {
  const stored = await readRowsOfMember(database, member.id);
  if (stored === null) throw unknownMember();
  const { own, friends, rows } = stored;
  const jobs = await readMailJobs(database, member.id);
  const suppression = await readSuppression(database, secretKey, member.identity);
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
      came_from: await getSource(database, member.id),
      referral_count: member.referralCount,
      friends_in_line: friends,
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
