/** The rows of a file: staged, then compared with each other and with the line. */
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { ReadRow } from './rows/row-rules.ts';

export type StagedRow = ReadRow & {
  readonly ordinal: number;
  readonly line: number;
  readonly member_id: string;
  readonly new_code: string;
};

/**
 * Rows that were just written have no statistics yet, and the planner takes them for few. Nested
 * loops over all of them would take hours.
 */
export async function planForManyRows(transaction: Kysely<Tables>): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(transaction);
  await sql`set local statement_timeout = 0`.execute(transaction);
}

export async function deleteRows(kysely: Kysely<Tables>, importId: string): Promise<void> {
  await kysely.deleteFrom('list_import_row').where('import_id', '=', importId).execute();
}

export async function insertRows(
  kysely: Kysely<Tables>,
  importId: string,
  rows: readonly StagedRow[],
): Promise<void> {
  await sql`
    insert into list_import_row (
      import_id, ordinal, line, shown, email, email_identity, joined_at, row_id, old_code,
      referrer, referrer_identity, referrer_code, stated_referrals, kept_code, fault, member_id,
      new_code)
    select ${importId}::uuid, ordinal, line, shown, email, email_identity, joined_at, row_id,
      old_code, referrer, referrer_identity, referrer_code, stated_referrals, kept_code, fault,
      member_id, new_code
    from json_to_recordset(${JSON.stringify(rows)}) as staged (
      ordinal integer, line integer, shown text, email text, email_identity text,
      joined_at timestamptz, row_id text, old_code text, referrer text, referrer_identity text,
      referrer_code text, stated_referrals integer, kept_code text, fault text, member_id uuid,
      new_code text)
  `.execute(kysely);
}

/**
 * Marks rows whose address is in line already, and of several rows with one address all but the
 * first in the chosen order.
 */
export async function markKnownAddresses(
  kysely: Kysely<Tables>,
  importId: string,
  order: 'file' | 'joined_at',
): Promise<void> {
  const inOrder = order === 'file' ? sql`ordinal` : sql`joined_at, ordinal`;
  await sql`
    update list_import_row row
    set fault = case when met.is_known then 'in_line' else 'duplicate' end,
      first_line = case when met.is_known then null else met.first_line end
    from (
      select ordinal,
        first_value(line) over same_address as first_line,
        row_number() over same_address as nth,
        exists (select from member where member.email_identity = one.email_identity) as is_known
      from list_import_row one
      where import_id = ${importId} and fault is null
      window same_address as (partition by email_identity order by ${inOrder})
    ) met
    where row.import_id = ${importId} and row.ordinal = met.ordinal
      and (met.is_known or met.nth > 1)
  `.execute(kysely);
}

/**
 * Finds each referrer, as an address, a code or an id of the file, or as a code of the line. A row
 * that is left out as a duplicate stands for the member whom the line gets or has.
 */
export async function findReferrers(kysely: Kysely<Tables>, importId: string): Promise<void> {
  await sql`
    with wanted as (
      select ordinal, referrer, referrer_identity, referrer_code from list_import_row
      where import_id = ${importId} and fault is null and referrer is not null
    ), known as (
      select ordinal, email_identity, old_code, row_id from list_import_row
      where import_id = ${importId} and email_identity is not null
    ), by_code as (
      select distinct on (old_code) old_code, email_identity from known
      where old_code is not null order by old_code, ordinal
    ), by_row as (
      select distinct on (row_id) row_id, email_identity from known
      where row_id is not null order by row_id, ordinal
    ), found as (
      select wanted.ordinal, wanted.referrer_code,
        coalesce(wanted.referrer_identity, by_code.email_identity, by_row.email_identity)
          as identity
      from wanted
      left join by_code on by_code.old_code = wanted.referrer
      left join by_row on by_row.row_id = wanted.referrer
    ), joining as (
      select ordinal, email_identity from list_import_row
      where import_id = ${importId} and fault is null
    ), met as (
      select found.ordinal, joining.ordinal as referrer_ordinal,
        case when joining.ordinal is null then coalesce(
          (select id from member where email_identity = found.identity),
          (select id from member where found.identity is null
            and referral_code = found.referrer_code)) end as referrer_id
      from found left join joining on joining.email_identity = found.identity
    )
    update list_import_row row set
      referrer_ordinal = case when met.referrer_ordinal <> met.ordinal
        then met.referrer_ordinal end,
      referrer_id = met.referrer_id,
      notes = case
        when met.referrer_ordinal = met.ordinal then array['own_referrer']
        when met.referrer_ordinal is null and met.referrer_id is null
          then array['unknown_referrer']
        else '{}' end
    from met where row.import_id = ${importId} and row.ordinal = met.ordinal
  `.execute(kysely);
}

/** For each row by its ordinal, less 1, that of its referrer in the file, or -1. */
export async function readReferrers(
  kysely: Kysely<Tables>,
  importId: string,
  rows: number,
): Promise<Int32Array> {
  const referrers = new Int32Array(rows).fill(-1);
  const pairs = await kysely
    .selectFrom('list_import_row')
    .select(['ordinal', 'referrer_ordinal'])
    .where('import_id', '=', importId)
    .where('referrer_ordinal', 'is not', null)
    .execute();
  for (const { ordinal, referrer_ordinal } of pairs)
    referrers[ordinal - 1] = (referrer_ordinal ?? 0) - 1;
  return referrers;
}

/** Members of circles are imported without a referrer. */
export async function breakCircles(
  kysely: Kysely<Tables>,
  importId: string,
  ordinals: readonly number[],
): Promise<void> {
  await sql`
    update list_import_row
    set referrer_ordinal = null, notes = notes || '{referral_circle}'::text[]
    where import_id = ${importId} and ordinal = any(${ordinals}::integer[])
  `.execute(kysely);
}

/** Keeps a code that is well-formed, free, and in the file for the first time. */
export async function chooseCodes(kysely: Kysely<Tables>, importId: string): Promise<void> {
  await sql`
    update list_import_row row
    set kept_code = case when judged.is_kept then row.kept_code end,
      notes = case when judged.is_kept then row.notes else row.notes || '{new_code}'::text[] end
    from (
      select ordinal, kept_code is not null
          and row_number() over (partition by kept_code order by ordinal) = 1
          and not exists (select from member where referral_code = kept_code) as is_kept
      from list_import_row
      where import_id = ${importId} and fault is null and old_code is not null
    ) judged
    where row.import_id = ${importId} and row.ordinal = judged.ordinal
      and (row.kept_code is null or not judged.is_kept)
  `.execute(kysely);
}

/** The order in which rows will join, the friends of each, and what the old tool counted more. */
export async function placeRows(
  kysely: Kysely<Tables>,
  importId: string,
  order: 'file' | 'joined_at',
): Promise<void> {
  const inOrder = order === 'file' ? sql`ordinal` : sql`joined_at, ordinal`;
  await sql`
    update list_import_row row set place = placed.place, friends = placed.friends,
      notes = case when row.stated_referrals > placed.friends
        then row.notes || '{fewer_friends}'::text[] else row.notes end
    from (
      select joining.ordinal, coalesce(brought.friends, 0) as friends,
        row_number() over (order by ${inOrder}) as place
      from list_import_row joining
      left join (
        select referrer_ordinal, count(*) as friends from list_import_row
        where import_id = ${importId} and fault is null group by referrer_ordinal
      ) brought on brought.referrer_ordinal = joining.ordinal
      where import_id = ${importId} and fault is null
    ) placed
    where row.import_id = ${importId} and row.ordinal = placed.ordinal
  `.execute(kysely);
}

export type RowCounts = {
  readonly rows: number;
  readonly importable: number;
  readonly noted: number;
  readonly invited: number;
  readonly credited_in_line: number;
};

export async function countRows(kysely: Kysely<Tables>, importId: string): Promise<RowCounts> {
  const { rows } = await sql<RowCounts>`
    select count(*) as rows, count(*) filter (where fault is null) as importable,
      count(*) filter (where fault is null and notes <> '{}') as noted,
      count(*) filter (where fault is null
        and (referrer_id is not null or referrer_ordinal is not null)) as invited,
      count(distinct referrer_id) filter (where fault is null) as credited_in_line
    from list_import_row where import_id = ${importId}
  `.execute(kysely);
  return rows[0] as RowCounts;
}

export async function countKinds(
  kysely: Kysely<Tables>,
  importId: string,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; rows: number }>`
    select kind, count(*) as rows from (
      select fault as kind from list_import_row
      where import_id = ${importId} and fault is not null
      union all
      select unnest(notes) from list_import_row where import_id = ${importId} and fault is null
    ) found
    group by kind order by kind
  `.execute(kysely);
  return Object.fromEntries(rows.map((row) => [row.kind, row.rows]));
}

export type ReportRow = {
  readonly ordinal: number;
  readonly line: number;
  readonly shown: string;
  readonly fault: string | null;
  readonly first_line: number | null;
  readonly notes: readonly string[];
  readonly stated_referrals: number | null;
  readonly friends: number;
};

/** Rows with a fault or a note, in the order of the file. */
export async function readReportRows(
  { kysely }: Database,
  { importId, after, limit }: { importId: string; after: number; limit: number },
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select ordinal, line, shown, fault, first_line, notes, stated_referrals, friends
    from list_import_row
    where import_id = ${importId} and ordinal > ${after}::integer
      and (fault is not null or notes <> '{}')
    order by ordinal limit ${limit}::integer
  `.execute(kysely);
  return rows;
}
