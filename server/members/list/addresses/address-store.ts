import { sql } from 'kysely';
import type { Database } from '../../../db/database.ts';

export type AddressRow = { readonly sequence: number; readonly identity: string };

export async function readAddresses(
  { kysely }: Database,
  afterSequence: number,
  limit: number,
): Promise<readonly AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    select sequence, email_identity as identity from member
    where sequence > ${afterSequence}::bigint order by sequence limit ${limit}::integer
  `.execute(kysely);
  return rows;
}

/** The number of the last entry in the audit log, which has every correction. */
export async function readLastEntry({ kysely }: Database): Promise<number> {
  const { sequence } = await kysely
    .selectFrom('audit_head')
    .select('sequence')
    .executeTakeFirstOrThrow();
  return sequence;
}

/** Members whose address was corrected, or restored, after this entry. */
export async function readCorrectedSince(
  { kysely }: Database,
  entry: number,
): Promise<readonly AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    select distinct member.sequence, member.email_identity as identity
    from audit_entry entry
    left join audit_entry undone
      on undone.sequence = case when entry.action = 'undo' then entry.subject_id::bigint end
    cross join lateral (
      select coalesce(undone.action, entry.action) as action,
        coalesce(undone.subject_id, entry.subject_id) as subject_id
    ) change
    join member on member.id = case
      when change.action = 'correct-address' then change.subject_id::uuid end
    where entry.sequence > ${entry}::bigint
  `.execute(kysely);
  return rows;
}

export async function hasReturnedSince({ kysely }: Database, entry: number): Promise<boolean> {
  const { rows } = await sql<{ is_true: boolean }>`
    select exists (
      select from audit_entry entry
      join audit_entry undone
        on undone.sequence = case when entry.action = 'undo' then entry.subject_id::bigint end
      where entry.sequence > ${entry}::bigint and entry.action = 'undo'
        and undone.action = 'remove-members'
    ) as is_true
  `.execute(kysely);
  return rows[0]?.is_true ?? false;
}
