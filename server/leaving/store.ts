/** What is kept about one member, as it stands in the tables. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { MAIL_QUEUE } from '../db/queue-schema.ts';

/** Null when nobody has the id. */
export async function readMemberRow({ kysely }: Database, memberId: string) {
  const { rows } = await sql<{
    email: string;
    email_identity: string;
    joined_at: Date;
    confirmed_at: Date | null;
    is_invited: boolean;
    is_credited: boolean;
    friends_joined: number;
    is_in_hundred: boolean;
    status_link_at: Date | null;
    friends_at: Date | null;
    told_referral_count: number | null;
    told_tier_level: number | null;
    hundred_at: Date | null;
  }>`
    select member.email, member.email_identity, member.joined_at, member.confirmed_at, member.is_invited, member.is_credited,
      (select count(*) from member friend where friend.referrer_id = member.id) as friends_joined,
      exists (select from hundred_member where hundred_member.member_id = member.id) as is_in_hundred,
      told.status_link_at, told.friends_at, told.hundred_at,
      told.referral_count as told_referral_count, told.tier_level as told_tier_level
    from member
    left join mail_told told on told.member_id = member.id
    where member.id = ${memberId}
  `.execute(kysely);
  return rows[0] ?? null;
}

/** Mails that wait, and those of the last days that were sent or given up, in the order of their queueing. */
export async function readMailJobs({ kysely }: Database, memberId: string) {
  const { rows } = await sql<{
    kind: string;
    state: string;
    outcome: string | null;
    created_on: Date;
    completed_on: Date | null;
  }>`
    select data->>'kind' as kind, state::text as state, output->>'outcome' as outcome, created_on, completed_on
    from pgboss.job where name = ${MAIL_QUEUE} and data->>'memberId' = ${memberId}
    order by created_on, id
  `.execute(kysely);
  return rows;
}

/** Answers kept for a repeated join of theirs. */
export async function readKeptAnswers({ kysely }: Database, memberId: string) {
  return await kysely
    .selectFrom('idempotency_answer')
    .select(['status_code', 'body', 'created_at'])
    .where('member_id', '=', memberId)
    .orderBy('created_at')
    .execute();
}

/** Of the ids, those that members have. */
export async function readPresent({ kysely }: Database, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from member where id = any(${[...ids]}::uuid[])`.execute(kysely);
  return new Set(rows.map(({ id }) => id));
}
