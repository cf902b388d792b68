import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { Erased } from '../links/store.ts';
import type { PlacedRow } from './place-rules.ts';
import type { ImportRow, StagedRow } from './row-rules.ts';

export type Piece = {
  readonly importId: string;
  readonly first: number;
  readonly last: number;
  readonly order: 'file' | 'joined_at';
};

export async function insertRows(
  kysely: Kysely<Tables>,
  importId: string,
  rows: readonly StagedRow[],
): Promise<void> {
  const columns = sql`ordinal, line, shown, email, email_identity, joined_at, row_id, old_code,
    referrer, referrer_identity, referrer_code, stated_referrals, kept_code, fault, member_id,
    new_code, confirmed_at, is_unconfirmed, was_invited, point_adjustment, credit,
    mail_state, source`;
  await sql`
    insert into list_import_row (import_id, ${columns})
    select ${importId}::uuid, ${columns}
    from json_populate_recordset(null::list_import_row, ${JSON.stringify(rows)})
  `.execute(kysely);
}

const isIn = ({ importId, first, last }: Omit<Piece, 'order'>, row: string) => sql`
  ${sql.ref(`${row}.import_id`)} = ${importId}::uuid
    and ${sql.ref(`${row}.ordinal`)} between ${first}::integer and ${last}::integer`;

export async function markKnownAddresses(kysely: Kysely<Tables>, piece: Piece): Promise<void> {
  const inOrder = piece.order === 'file' ? sql`ordinal` : sql`joined_at, ordinal`;
  await sql`
    update list_import_row row
    set fault = case when met.is_known then 'in_line' else 'duplicate' end,
      first_line = case when met.is_known then null else met.first_line end
    from (
      select one.ctid, first.line as first_line, first.ordinal <> one.ordinal as is_later,
        exists (select from member where member.email_identity = one.email_identity offset 0)
          as is_known
      from list_import_row one
      cross join lateral (
        select ordinal, line from list_import_row
        where import_id = ${piece.importId}::uuid and email_identity = one.email_identity
          and (fault is null or fault in ('in_line', 'duplicate'))
        order by ${inOrder} limit 1
      ) first
      where ${isIn(piece, 'one')} and one.fault is null
    ) met
    where row.import_id = ${piece.importId}::uuid and row.ctid = met.ctid
      and (met.is_known or met.is_later)
  `.execute(kysely);
}

/** A row that is left out as a duplicate stands for the member whom the line gets or has. */
export async function findReferrers(kysely: Kysely<Tables>, piece: Piece): Promise<void> {
  const ofFile = sql`import_id = ${piece.importId}::uuid`;
  await sql`
    update list_import_row row set
      referrer_ordinal = case when met.referrer_ordinal <> met.ordinal
        then met.referrer_ordinal end,
      referrer_id = met.referrer_id,
      notes = case
        when met.referrer_ordinal = met.ordinal then array['own_referrer']
        when met.referrer_ordinal is null and met.referrer_id is null
          then array['unknown_referrer']
        else '{}' end
    from (
      select wanted.ctid, wanted.ordinal, joining.ordinal as referrer_ordinal,
        case when joining.ordinal is null then coalesce(
          (select id from member where email_identity = found.identity offset 0),
          (select id from member where found.identity is null
            and referral_code = wanted.referrer_code offset 0)) end as referrer_id
      from list_import_row wanted
      left join lateral (
        select email_identity from list_import_row
        where ${ofFile} and old_code = wanted.referrer and email_identity is not null
        order by ordinal limit 1
      ) by_code on true
      left join lateral (
        select email_identity from list_import_row
        where ${ofFile} and row_id = wanted.referrer and email_identity is not null
        order by ordinal limit 1
      ) by_row on true
      cross join lateral (
        select coalesce(wanted.referrer_identity, by_code.email_identity, by_row.email_identity)
          as identity
      ) found
      left join lateral (
        select ordinal from list_import_row
        where ${ofFile} and email_identity = found.identity and fault is null limit 1
      ) joining on true
      where ${isIn(piece, 'wanted')} and wanted.fault is null and wanted.referrer is not null
    ) met
    where row.import_id = ${piece.importId}::uuid and row.ctid = met.ctid
  `.execute(kysely);
}

export async function chooseCodes(kysely: Kysely<Tables>, piece: Piece): Promise<void> {
  await sql`
    update list_import_row row
    set kept_code = case when judged.is_kept then row.kept_code end,
      notes = case when judged.is_kept then row.notes else row.notes || '{new_code}'::text[] end
    from (
      select ctid, kept_code is not null
          and not exists (
            select from list_import_row earlier
            where import_id = ${piece.importId} and kept_code = one.kept_code
              and ordinal < one.ordinal and fault is null offset 0)
          and not exists (
            select from member where referral_code = one.kept_code offset 0) as is_kept
      from list_import_row one
      where ${isIn(piece, 'one')} and fault is null and old_code is not null
    ) judged
    where row.import_id = ${piece.importId}::uuid and row.ctid = judged.ctid
      and (row.kept_code is null or not judged.is_kept)
  `.execute(kysely);
}

export async function readPiece(kysely: Kysely<Tables>, piece: Piece): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select * from list_import_row row where ${isIn(piece, 'row')}
  `.execute(kysely);
  return rows;
}

/** Returns the rows with their places. */
export async function writePlaces(
  kysely: Kysely<Tables>,
  { importId }: Piece,
  placed: readonly PlacedRow[],
): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    update list_import_row row set place = placed.place, friends = placed.friends,
      referrer_ordinal = case when not placed.in_circle then row.referrer_ordinal end,
      notes = row.notes
        || case when placed.in_circle then '{referral_circle}'::text[] else '{}' end
        || case when row.stated_referrals > placed.friends
          then '{fewer_friends}'::text[] else '{}' end
    from json_to_recordset(${JSON.stringify(placed)}) as placed (
      ordinal integer, place integer, friends integer, in_circle boolean)
    cross join lateral (
      select ctid from list_import_row
      where import_id = ${importId} and ordinal = placed.ordinal offset 0
    ) known
    where row.import_id = ${importId}::uuid and row.ctid = known.ctid
    returning row.*
  `.execute(kysely);
  return rows;
}

export async function readLastOrdinal({ kysely }: Database, importId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(ordinal), 0) as last from list_import_row where import_id = ${importId}
  `.execute(kysely);
  return rows[0]?.last ?? 0;
}

type Blot = Erased & { readonly words: readonly string[]; readonly pattern: string };

export async function blotRows(
  kysely: Kysely<Tables>,
  piece: Omit<Piece, 'order'>,
  { id, email_identity: identity, referral_code: code, words, pattern }: Blot,
): Promise<void> {
  await sql`
    delete from list_import_row row
    where ${isIn(piece, 'row')} and (email_identity = ${identity} or member_id = ${id})
  `.execute(kysely);
  const text = sql`concat_ws(' ', shown, row_id, old_code, kept_code, referrer, referrer_identity,
    referrer_code, referrer_id) collate "default"`;
  await sql`
    update list_import_row row
    set shown = regexp_replace(shown, ${pattern}, '…', 'gi'), row_id = null, old_code = null,
      kept_code = nullif(kept_code, ${code}), referrer = null, referrer_identity = null,
      referrer_code = null, referrer_id = null
    where ${isIn(piece, 'row')} and case
      when lower(${text}) like any(${words.map((word) => `%${word}%`)}::text[])
        then ${text} ~* ${pattern}
      else false end
  `.execute(kysely);
}

export async function readReportRows(
  { kysely }: Database,
  { importId, after, limit }: { importId: string; after: number; limit: number },
): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select * from list_import_row
    where import_id = ${importId} and ordinal > ${after}::integer
      and (fault is not null or notes <> '{}')
    order by ordinal limit ${limit}::integer
  `.execute(kysely);
  return rows;
}
