/** What the verbs of the line ask of the database. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { MailKind } from '../../contract/mails.ts';
import type { Database } from '../db/database.ts';
import { MAIL_QUEUE } from '../db/queue-schema.ts';
import type { Tables } from '../db/tables.ts';

export type JoinRow = {
  readonly ordinal: number;
  readonly id: string;
  readonly email: string;
  readonly email_identity: string;
  readonly referral_code: string;
  readonly referred_by: string | null;
  readonly key_hash: string | null;
  readonly request_hash: string;
  readonly body_before_place: string;
};

export type DecidedRow = {
  /** The key hash of the request, or the id where it has none. */
  readonly slot: string;
  readonly request_hash: string;
  readonly status_code: 201 | 409;
  readonly body: string;
  readonly member_id: string;
};

export type JoinBatch = {
  readonly rows: readonly JoinRow[];
  /** What follows the place in the answer to everybody who joins. */
  readonly bodyEnd: string;
  readonly knownBody: string;
  /** Credits the referrers now, not when the friends confirm. */
  readonly givesCredit: boolean;
  /** The kind of mail for who joined and for who was there already; null for none. */
  readonly joinedMail: MailKind | null;
  readonly knownMail: MailKind | null;
};

/** One batch of joins, one transaction, one round trip: `join_members` of the migrations. */
export async function joinMembers({ kysely }: Database, batch: JoinBatch): Promise<DecidedRow[]> {
  const { rows } = await sql<DecidedRow>`
    select * from join_members(
      ${JSON.stringify(batch.rows)}, ${batch.bodyEnd}, ${batch.knownBody}, ${batch.givesCredit}, ${batch.joinedMail},
      ${batch.knownMail})
  `.execute(kysely);
  return rows;
}

/** Null when none is kept, or not for its 24 hours any more. */
export async function readKeptAnswer({ kysely }: Database, keyHash: string): Promise<DecidedRow | null> {
  const { rows } = await sql<DecidedRow>`
    select key_hash as slot, request_hash, status_code, body, member_id from idempotency_answer
    where key_hash = ${keyHash} and created_at > clock_timestamp() - interval '24 hours'
  `.execute(kysely);
  return rows[0] ?? null;
}

export type StatusRow = {
  readonly id: string;
  readonly email: string;
  readonly referral_code: string;
  readonly referral_count: number;
  readonly place: number;
};

export type ReadMember = StatusRow & {
  /** Friends whose credit waits for them to confirm; null when not asked for. */
  readonly pending_referrals: number | null;
  readonly is_confirmed: boolean;
};

/** Members with their places, all of one moment; ids that nobody has are left out. */
export async function readMembers(
  { kysely }: Database,
  { ids, isCreditWaiting }: { ids: readonly string[]; isCreditWaiting: boolean },
): Promise<ReadMember[]> {
  const { rows } = await sql<ReadMember>`
    select * from read_members(${ids}::uuid[], ${isCreditWaiting})
  `.execute(kysely);
  return rows;
}

/** Members with their places and what mail needs to know of them, all of one moment. */
export async function readRecipients(
  { kysely }: Database,
  ids: readonly string[],
): Promise<(StatusRow & { readonly is_confirmed: boolean })[]> {
  const { rows } = await sql<StatusRow & { is_confirmed: boolean }>`
    select member.id, member.email, member.referral_code, member.referral_count, place_of.place,
      member.confirmed_at is not null as is_confirmed
    from member
    cross join lateral place_of(member.sort_key)
    where member.id = any(${ids}::uuid[])
  `.execute(kysely);
  return rows;
}

export type OperatorRow = StatusRow & {
  readonly is_invited: boolean;
  readonly referred_by: string | null;
  readonly joined_at: Date;
};

const OPERATOR_COLUMNS = sql`
  member.id, member.email, member.referral_code, member.referral_count, member.is_invited, member.joined_at,
  referrer.referral_code as referred_by`;

/** The members that have the id, the address or the code. */
export async function findMemberRows(
  { kysely }: Database,
  wanted: { id: string | null; identity: string | null; code: string | null },
): Promise<OperatorRow[]> {
  const { rows } = await sql<OperatorRow>`
    select ${OPERATOR_COLUMNS}, place_of.place
    from member
    left join member referrer on referrer.id = member.referrer_id
    cross join lateral place_of(member.sort_key)
    where member.id = ${wanted.id} or member.email_identity = ${wanted.identity} or member.referral_code = ${wanted.code}
    order by member.sort_key
  `.execute(kysely);
  return rows;
}

/** The whole line, first to last, of one moment. */
export async function readLine({ kysely }: Database): Promise<OperatorRow[]> {
  const { rows } = await sql<OperatorRow>`
    select ${OPERATOR_COLUMNS}, row_number() over (order by member.sort_key) as place
    from member
    left join member referrer on referrer.id = member.referrer_id
    order by member.sort_key
  `.execute(kysely);
  return rows;
}

export async function readTotal({ kysely }: Database): Promise<number> {
  const { total } = await kysely.selectFrom('line_state').select('total').executeTakeFirstOrThrow();
  return total;
}

/** The highest referral counts above 0, in falling order. */
export async function readTopReferralCounts({ kysely }: Database, limit: number): Promise<number[]> {
  const rows = await kysely
    .selectFrom('member')
    .select('referral_count')
    .where('referral_count', '>', 0)
    .orderBy('referral_count', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.referral_count);
}

/**
 * Takes a member out of the line, with their mails in the queue, and their credit back. Friends they brought keep their places
 * and stay invited, without a referrer. False when nobody has the id.
 */
export async function deleteMember({ kysely }: Database, memberId: string): Promise<boolean> {
  return await kysely.transaction().execute(async (transaction) => {
    await lockLine(transaction);
    const member = await transaction
      .selectFrom('member')
      .select(['referrer_id', 'is_credited'])
      .where('id', '=', memberId)
      .executeTakeFirst();
    if (member === undefined) return false;
    if (member.is_credited && member.referrer_id !== null) await takeBackCredit(transaction, member.referrer_id);
    await transaction
      .updateTable('member')
      .set({ referrer_id: null, is_credited: false })
      .where('referrer_id', '=', memberId)
      .execute();
    await transaction.deleteFrom('member').where('id', '=', memberId).execute();
    // Last, as nothing can queue a mail of theirs any more: who does locks the line or finds the member gone.
    await sql`delete from pgboss.job where name = ${MAIL_QUEUE} and data->>'memberId' = ${memberId}`.execute(
      transaction,
    );
    return true;
  });
}

/** Keeps that the address is the member's and gives a credit that waited for it. False when nobody has the id. */
export async function confirm({ kysely }: Database, memberId: string): Promise<boolean> {
  const { rows } = await sql<{ is_known: boolean }>`select confirm_member(${memberId}) as is_known`.execute(kysely);
  return rows[0]?.is_known ?? false;
}

/** Before any other write to the line, so that writers queue here and nowhere else: they cannot deadlock. */
export async function lockLine(transaction: Transaction<Tables>): Promise<void> {
  await transaction.selectFrom('line_state').select('is_only_row').forUpdate().execute();
}

async function takeBackCredit(transaction: Transaction<Tables>, referrerId: string): Promise<void> {
  await sql`
    update member set
      referral_count = member.referral_count - 1,
      sort_key = sort_key_of(line, member.sequence, member.referral_count - 1, member.is_invited)
    from line_state line
    where member.id = ${referrerId}
  `.execute(transaction);
}

/** Answers kept for repeated joins are promised for 24 hours and hold an address: no longer than that. */
export async function deleteOldAnswers(kysely: Kysely<Tables>): Promise<void> {
  await sql`delete from idempotency_answer where created_at < clock_timestamp() - interval '24 hours'`.execute(kysely);
}
