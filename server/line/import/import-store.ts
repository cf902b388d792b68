/** Members from the rows of a checked list, all in one transaction, and out again. */
import { sql } from 'kysely';
import type { MailKind } from '../../../contract/mails.ts';
import type { Transaction } from '../../db/transaction.ts';

type Line = { readonly first: number; readonly total: number };

/** Mails of one row of the outbox. */
const MAILS_PER_BATCH = 256;

/** For the statements of one import or its undo, which take longer than those of a visitor. */
export async function allowTime(transaction: Transaction): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(transaction);
}

/** The next sequence and the length of the line, which the caller has locked. */
export async function readLineEnd(transaction: Transaction): Promise<Line> {
  const { rows } = await sql<Line>`
    select next_sequence as first, total from line_state`.execute(transaction);
  return rows[0] as Line;
}

/** Leaves out rows whose address has joined since the check, and returns how many. */
export async function leaveOutJoined(transaction: Transaction, importId: string): Promise<number> {
  const { rows } = await sql<{ ordinal: number }>`
    update list_import_row row
    set fault = 'joined_meanwhile', place = null
    where import_id = ${importId} and fault is null
      and exists (select from member where member.email_identity = row.email_identity)
    returning ordinal
  `.execute(transaction);
  if (rows.length === 0) return 0;
  // Their friends in the file become friends of the member they are by now.
  await sql`
    update list_import_row friend set referrer_ordinal = null, referrer_id = member.id
    from list_import_row joined
    join member on member.email_identity = joined.email_identity
    where joined.import_id = ${importId} and joined.fault = 'joined_meanwhile'
      and friend.import_id = ${importId} and friend.referrer_ordinal = joined.ordinal
  `.execute(transaction);
  await sql`
    update list_import_row row set friends = row.friends - lost.friends
    from (
      select referrer_ordinal, count(*) as friends from list_import_row
      where import_id = ${importId} and fault = 'joined_meanwhile' group by referrer_ordinal
    ) lost
    where row.import_id = ${importId} and row.ordinal = lost.referrer_ordinal
  `.execute(transaction);
  return rows.length;
}

/** What else has changed since the check: referrers who left, and codes that were given away. */
export async function forgetTakenAndGone(
  transaction: Transaction,
  importId: string,
): Promise<void> {
  await sql`
    update list_import_row row set referrer_id = null
    where import_id = ${importId} and referrer_id is not null
      and not exists (select from member where member.id = row.referrer_id)
  `.execute(transaction);
  await sql`
    update list_import_row row set kept_code = null
    where import_id = ${importId} and fault is null and kept_code is not null
      and exists (select from member where member.referral_code = row.kept_code)
  `.execute(transaction);
}

type Joining = Line & {
  readonly importId: string;
  readonly isConfirmed: boolean;
  readonly givesCredit: boolean;
};

/** In the order of places, from the end of the line. Returns how many. */
export async function insertImported(transaction: Transaction, joining: Joining): Promise<number> {
  const { importId, first, total, isConfirmed, givesCredit } = joining;
  const credits = givesCredit ? sql`row.friends` : sql`0`;
  await sql`
    insert into standing (member_id, sort_key, referral_count)
    select row.member_id,
      sort_key_of(formula, ${first}::bigint - 1 + row.place, ${credits},
        row.referrer_ordinal is not null or row.referrer_id is not null, 0),
      ${credits}
    from list_import_row row, line_state formula
    where row.import_id = ${importId} and row.fault is null
    order by row.place
  `.execute(transaction);
  if (givesCredit)
    await sql`
      select credit_referrers(array_agg(referrer_id), array_agg(friends)) from (
        select referrer_id, count(*)::integer as friends from list_import_row
        where import_id = ${importId} and fault is null and referrer_id is not null
        group by referrer_id
      ) invited having count(*) > 0
    `.execute(transaction);
  const credit = givesCredit ? 'given' : 'pending';
  const { numAffectedRows } = await sql`
    insert into member (
      id, sequence, joined_at, join_position, request_hash, confirmed_at, referrer_id, is_invited,
      credit, email, email_identity, referral_code)
    select row.member_id, ${first}::bigint - 1 + row.place, coalesce(row.joined_at, moment.now),
      ${total}::bigint + row.place, md5(row.member_id::text)::uuid,
      case when ${isConfirmed} then moment.now end,
      referrer.id, referrer.id is not null,
      case when referrer.id is null then 'none' else ${credit} end,
      row.email, row.email_identity, coalesce(row.kept_code, row.new_code)
    from (
      select greatest(clock_timestamp(), last_joined_at + interval '1 microsecond') as now
      from line_state
    ) moment, list_import_row row
    left join list_import_row inviting
      on inviting.import_id = ${importId} and inviting.ordinal = row.referrer_ordinal
    cross join lateral (select coalesce(inviting.member_id, row.referrer_id) as id) referrer
    where row.import_id = ${importId} and row.fault is null
    order by row.place
  `.execute(transaction);
  // Whoever had friends in the old list knows of them.
  if (givesCredit)
    await sql`
      insert into notification_state (member_id, referral_count)
      select member_id, friends from list_import_row
      where import_id = ${importId} and fault is null and friends > 0
    `.execute(transaction);
  return Number(numAffectedRows);
}

export async function queueImportedMails(
  transaction: Transaction,
  { importId, first, kind }: { importId: string; first: number; kind: MailKind },
): Promise<void> {
  await sql`
    insert into mail_outbox (first_sequence, kind, member_ids)
    select ${first}::bigint - 1 + min(place), ${kind}, array_agg(member_id order by place)
    from list_import_row where import_id = ${importId} and fault is null
    group by (place - 1) / ${MAILS_PER_BATCH}
  `.execute(transaction);
}

export type Sequences = { readonly first: number; readonly last: number };

/**
 * The members of an import by their sequences, which nobody else can have: those who can leave, and
 * how many have brought friends since.
 */
export async function findImported(
  transaction: Transaction,
  { first, last }: Sequences,
): Promise<{ leaving: string[]; staying: number }> {
  const { rows } = await sql<{ id: string; has_friends: boolean }>`
    select id, exists (
      select from member friend where friend.referrer_id = member.id
        and friend.sequence not between ${first}::bigint and ${last}::bigint
    ) as has_friends
    from member where sequence between ${first}::bigint and ${last}::bigint
  `.execute(transaction);
  const leaving = rows.filter((row) => !row.has_friends).map(({ id }) => id);
  return { leaving, staying: rows.length - leaving.length };
}

/** With their mails, and the credits that they gave to members who stay. */
export async function removeImported(
  transaction: Transaction,
  leaving: readonly string[],
): Promise<void> {
  const ids = sql`unnest(${leaving}::uuid[])`;
  await sql`
    select credit_referrers(array_agg(referrer_id), array_agg(-friends)) from (
      select friend.referrer_id, count(*)::integer as friends
      from ${ids} leaving (id) join member friend on friend.id = leaving.id
      left join ${ids} referrer (id) on referrer.id = friend.referrer_id
      where friend.credit = 'given' and referrer.id is null
      group by friend.referrer_id
    ) lost having count(*) > 0
  `.execute(transaction);
  await sql`
    update member set referrer_id = null, credit = 'none'
    from ${ids} gone (id)
    where member.referrer_id = gone.id
      and not exists (select from ${ids} leaving (id) where leaving.id = member.id)
  `.execute(transaction);
  await sql`
    with mailed as (
      select first_sequence, id from mail_outbox, unnest(member_ids) as id
    ), touched as (
      select mailed.first_sequence from mailed join ${ids} leaving (id) using (id) group by 1
    ), kept as (
      select mailed.first_sequence, array_agg(mailed.id) as member_ids from mailed
      where not exists (select from ${ids} leaving (id) where leaving.id = mailed.id)
      group by 1
    )
    update mail_outbox set member_ids = coalesce(kept.member_ids, '{}')
    from touched left join kept using (first_sequence)
    where mail_outbox.first_sequence = touched.first_sequence
  `.execute(transaction);
  await sql`
    delete from member using ${ids} leaving (id) where member.id = leaving.id
  `.execute(transaction);
  await sql`
    delete from pgboss.job using ${ids} leaving (id)
    where (data->>'memberId')::uuid = leaving.id
  `.execute(transaction);
}
