import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { FoundSignals } from '../../line/credits/credit-store.ts';

export type Cursor = {
  readonly next: number;
  /** Where the pass over earlier members is, and the member before whom it ends. */
  readonly pass: number;
  readonly passEnd: number;
};

export type OpenCredit = {
  readonly friendId: FoundSignals['friend_id'];
  readonly ownCode: string;
  readonly code: string;
};

/** Traces are written after their joins, and other servers read them some seconds later. */
const SETTLED_AFTER_SECONDS = 10;

export async function readCursor({ kysely }: Database): Promise<Cursor> {
  return await kysely
    .selectFrom('sweep_cursor')
    .select(['next_sequence as next', 'pass_sequence as pass', 'pass_end as passEnd'])
    .executeTakeFirstOrThrow();
}

export async function moveCursor({ kysely }: Database, from: Cursor, to: Cursor): Promise<boolean> {
  const { numUpdatedRows } = await kysely
    .updateTable('sweep_cursor')
    .set({ next_sequence: to.next, pass_sequence: to.pass, pass_end: to.passEnd })
    .where('next_sequence', '=', from.next)
    .where('pass_sequence', '=', from.pass)
    .where('pass_end', '=', from.passEnd)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function readNewReferrers(
  { kysely }: Database,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<{ end: number; referrerIds: string[] }> {
  const { rows } = await sql<{ sequence: number; referrerId: string | null; isSettled: boolean }>`
    select sequence, referrer_id as "referrerId",
      joined_at < clock_timestamp() - make_interval(secs => ${SETTLED_AFTER_SECONDS}::integer)
        as "isSettled"
    from member where sequence >= ${from}::bigint order by sequence limit ${limit}::integer
  `.execute(kysely);
  const young = rows.findIndex(({ isSettled }) => !isSettled);
  const settled = young < 0 ? rows : rows.slice(0, young);
  return {
    end: (settled.at(-1)?.sequence ?? from - 1) + 1,
    referrerIds: [...new Set(settled.flatMap(({ referrerId }) => referrerId ?? []))],
  };
}

export async function readOpenCreditsOf(
  database: Database,
  { referrerIds, maxFriends }: { referrerIds: readonly string[]; maxFriends: number },
): Promise<OpenCredit[]> {
  return await readOpenCredits(
    database,
    sql`unnest(${referrerIds}::uuid[]) as wanted (id)
    join member referrer on referrer.id = wanted.id
    cross join lateral (
      select * from member where referrer_id = wanted.id
      order by sequence desc limit ${maxFriends}::integer
    ) friend`,
  );
}

export async function readOpenCreditsBetween(
  database: Database,
  { from, end }: { readonly from: number; readonly end: number },
): Promise<OpenCredit[]> {
  return await readOpenCredits(
    database,
    sql`(
      select * from member where sequence >= ${from}::bigint and sequence < ${end}::bigint
      order by sequence
    ) friend
    join member referrer on referrer.id = friend.referrer_id`,
  );
}

async function readOpenCredits(
  { kysely }: Database,
  friends: RawBuilder<unknown>,
): Promise<OpenCredit[]> {
  const { rows } = await sql<OpenCredit>`
    select friend.id as "friendId", friend.referral_code as "ownCode",
      referrer.referral_code as code
    from ${friends}
    left join credit_case known on known.member_id = friend.id
    where friend.credit in ('given', 'pending') and known.decided_by is distinct from 'operator'
      and not (friend.credit = 'pending' and coalesce(known.holds, false))
  `.execute(kysely);
  return rows;
}

export async function readFirstTraced({ kysely }: Database): Promise<number | null> {
  const { rows } = await sql<{ sequence: number }>`
    select member.sequence from (
      select member_id from join_trace order by member_id limit 1
    ) oldest
    join member on member.id = oldest.member_id
  `.execute(kysely);
  return rows[0]?.sequence ?? null;
}
