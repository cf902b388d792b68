import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Tables } from '../../db/schema/tables.ts';
import type { Erased } from '../links/store.ts';
import type { CheckedRow, Members } from './compare-rules.ts';

/** A row of a checked list. */
export type ImportRow = Readonly<CheckedRow> & {
  /** The member it becomes: their id, and their code unless they keep the old one. */
  readonly member_id: string;
  readonly new_code: string;
};

export async function findMembers(
  kysely: Kysely<Tables>,
  { addresses, codes }: Readonly<Record<'addresses' | 'codes', readonly (string | null)[]>>,
): Promise<Members> {
  const { rows } = await sql<{ id: string; email_identity: string; referral_code: string }>`
    select id, email_identity, referral_code from member
    where email_identity = any(${addresses}::text[]) or referral_code = any(${codes}::text[])
  `.execute(kysely);
  return {
    byAddress: new Map(rows.map((member) => [member.email_identity, member.id])),
    byCode: new Map(rows.map((member) => [member.referral_code, member.id])),
  };
}

export async function insertRows(
  kysely: Kysely<Tables>,
  importId: string,
  rows: readonly ImportRow[],
): Promise<void> {
  const stored = rows.map((row) => ({ ...row, import_id: importId }));
  await sql`
    insert into list_import_row
    select * from json_populate_recordset(null::list_import_row, ${JSON.stringify(stored)})
  `.execute(kysely);
}

export async function readLastOrdinal({ kysely }: Database, importId: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(ordinal), 0) as last from list_import_row where import_id = ${importId}
  `.execute(kysely);
  return rows[0]?.last ?? 0;
}

type Rows = { readonly importId: string; readonly first: number; readonly last: number };
type Blot = Erased & { readonly words: readonly string[]; readonly pattern: string };

export async function blotRows(
  kysely: Kysely<Tables>,
  { importId, first, last }: Rows,
  { id, email_identity: identity, referral_code: code, words, pattern }: Blot,
): Promise<void> {
  const isIn = sql`import_id = ${importId} and ordinal between ${first} and ${last}`;
  await sql`
    delete from list_import_row
    where ${isIn} and (email_identity = ${identity} or member_id = ${id})
  `.execute(kysely);
  const text = sql`concat_ws(' ', shown, row_id, old_code, kept_code, referrer, referrer_identity,
    referrer_code, referrer_id) collate "default"`;
  await sql`
    update list_import_row
    set shown = regexp_replace(shown, ${pattern}, '…', 'gi'), row_id = null, old_code = null,
      kept_code = nullif(kept_code, ${code}), referrer = null, referrer_identity = null,
      referrer_code = null, referrer_id = null
    where ${isIn} and case
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
