import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { lockLine } from './store.ts';

/** Keeps that the address is the member's and gives the referrer the credit that waited for it. False when nobody has the id. */
export async function confirm({ kysely }: Database, memberId: string): Promise<boolean> {
  return await kysely.transaction().execute(async (transaction) => {
    await lockLine(transaction);
    const member = await transaction
      .selectFrom('member')
      .select(['referrer_id', 'is_credited', 'confirmed_at'])
      .where('id', '=', memberId)
      .executeTakeFirst();
    if (member === undefined) return false;
    const isCreditWaiting = member.referrer_id !== null && !member.is_credited;
    if (member.confirmed_at !== null && !isCreditWaiting) return true;
    await sql`
      update member set confirmed_at = coalesce(confirmed_at, clock_timestamp()), is_credited = referrer_id is not null
      where id = ${memberId}
    `.execute(transaction);
    if (isCreditWaiting) await giveCredit(transaction, memberId);
    return true;
  });
}

/** The same as `join_members` does where credit does not wait. */
async function giveCredit(transaction: Transaction<Tables>, friendId: string): Promise<void> {
  await sql`
    with credited as (
      update member set
        referral_count = member.referral_count + 1,
        sort_key = sort_key_of(line, member.sequence, member.referral_count + 1, member.is_invited)
      from line_state line, member friend
      where friend.id = ${friendId} and member.id = friend.referrer_id
      returning member.id
    )
    insert into mail_news (member_id) select id from credited
    on conflict (member_id) do update set look_after = excluded.look_after
  `.execute(transaction);
}
