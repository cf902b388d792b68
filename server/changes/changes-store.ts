import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';
import type { Subject } from './audit/audit-record.ts';

export type EntryRow = {
  readonly sequence: number;
  readonly at: Date;
  readonly actor_kind: string;
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly action: string;
  readonly subject_kind: string | null;
  readonly subject_id: string | null;
  readonly reason: string | null;
  readonly summary: string;
  readonly undo_until: Date | null;
  readonly undone_by: number | null;
};

const ENTRY = sql`
  select entry.sequence, entry.at, entry.actor_kind, entry.actor_id, entry.actor_name,
    entry.action, entry.subject_kind, entry.subject_id, entry.reason,
    entry.details->>'summary' as summary, undo.until as undo_until, undone.sequence as undone_by
  from audit_entry entry
  left join undo_record undo on undo.audit_sequence = entry.sequence and undo.until > now()
  left join lateral (
    select sequence from audit_entry
    where subject_kind = 'change' and subject_id = entry.sequence::text and action = 'undo'
    order by sequence desc limit 1
  ) undone on true`;

/** Newest first. */
export async function readEntries(
  { kysely }: Database,
  wanted: { before: number | null; subject: Subject | null; limit: number },
): Promise<EntryRow[]> {
  const { before, subject, limit } = wanted;
  const ofSubject = sql`
    and entry.subject_kind = ${subject?.kind} and entry.subject_id = ${subject?.id}`;
  const { rows } = await sql<EntryRow>`
    ${ENTRY}
    where entry.sequence < ${before ?? Number.MAX_SAFE_INTEGER}::bigint
      ${subject === null ? sql`` : ofSubject}
    order by entry.sequence desc limit ${limit}::integer
  `.execute(kysely);
  return rows;
}

export async function readEntry(
  transaction: Transaction,
  sequence: number,
): Promise<EntryRow | null> {
  const { rows } = await sql<EntryRow>`
    ${ENTRY} where entry.sequence = ${sequence}::bigint`.execute(transaction);
  return rows[0] ?? null;
}

/** The number of the last entry about the subject; 0 without one. */
export async function readLastChange(
  transaction: Transaction,
  { kind, id }: Subject,
): Promise<number> {
  const row = await transaction
    .selectFrom('audit_entry')
    .select(({ fn }) => fn.max('sequence').as('last'))
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .executeTakeFirst();
  return row?.last ?? 0;
}

export async function insertUndo(
  transaction: Transaction,
  undo: { change: number; subject: Subject | null; data: object; until: Date },
): Promise<void> {
  const { change, subject, data, until } = undo;
  await transaction
    .insertInto('undo_record')
    .values({
      audit_sequence: change,
      member_id: subject?.kind === 'member' ? subject.id : null,
      data: JSON.stringify(data),
      until,
    })
    .execute();
}

/** What the undo of the change needs, which is deleted with it; null when there is none. */
export async function takeUndo(transaction: Transaction, change: number): Promise<unknown> {
  const row = await transaction
    .deleteFrom('undo_record')
    .where('audit_sequence', '=', change)
    .where('until', '>', sql<Date>`now()`)
    .returning('data')
    .executeTakeFirst();
  return row?.data ?? null;
}

export async function deleteUndoUntil(transaction: Transaction, moment: Date): Promise<void> {
  await transaction.deleteFrom('undo_record').where('until', '<=', moment).execute();
}
