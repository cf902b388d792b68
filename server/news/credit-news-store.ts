import { sql } from 'kysely';
import type { ToldCredits } from './credit-news-rules.ts';
import type { Look } from './look-store.ts';

export type CreditedMember = {
  readonly memberId: string;
  readonly referralCount: number;
  readonly told: ToldCredits;
};

type CreditedRow = {
  readonly id: string;
  readonly referral_count: number;
  readonly told_count: number;
  readonly friends_at: Date | null;
  readonly tier_level: number;
};

/** Some members whose news are due, held as by `holdMembers`: a credit that is being given is seen whole, now or at the next look. */
export async function holdCreditedMembers(
  look: Look,
  { now, limit }: { now: Date; limit: number },
): Promise<CreditedMember[]> {
  const { rows } = await sql<CreditedRow>`
    select member.id, member.referral_count, mail_told.friends_at,
      coalesce(mail_told.referral_count, 0) as told_count, coalesce(mail_told.tier_level, 0) as tier_level
    from mail_news
    join member on member.id = mail_news.member_id
    left join mail_told on mail_told.member_id = member.id
    where mail_news.look_after <= ${now}
    order by mail_news.look_after
    limit ${limit}
    for share of member skip locked
  `.execute(look);
  return rows.map((row) => ({
    memberId: row.id,
    referralCount: row.referral_count,
    told: { referralCount: row.told_count, friendsAt: row.friends_at, tierLevel: row.tier_level },
  }));
}

/** Keeps what these members know now, and forgets their news but for those to be looked at again. */
export async function keepTold(
  look: Look,
  members: readonly { memberId: string; told: ToldCredits; lookAgainAt: Date | null }[],
): Promise<void> {
  const rows = members.map(({ memberId, told, lookAgainAt }) => ({
    member_id: memberId,
    referral_count: told.referralCount,
    friends_at: told.friendsAt,
    tier_level: told.tierLevel,
    look_after: lookAgainAt,
  }));
  const recordset = sql`json_to_recordset(${JSON.stringify(rows)}) as known (
    member_id uuid, referral_count integer, friends_at timestamptz, tier_level integer, look_after timestamptz)`;
  await sql`
    insert into mail_told (member_id, referral_count, friends_at, tier_level)
    select member_id, referral_count, friends_at, tier_level from ${recordset}
    on conflict (member_id) do update set
      referral_count = excluded.referral_count, friends_at = excluded.friends_at, tier_level = excluded.tier_level
  `.execute(look);
  await sql`
    merge into mail_news using ${recordset} on known.member_id = mail_news.member_id
    when matched and known.look_after is null then delete
    when matched then update set look_after = known.look_after
  `.execute(look);
}
