import { sql } from 'kysely';
import type { AuditEntry, AuditPage, ChangeKind } from '../../contract/operator/changes.ts';
import type { Subject } from '../access/audit/audit-store.ts';
import type { Database } from '../db/database.ts';
import { isoTime } from '../db/iso-time.ts';
import { all, first, run, some, value } from '../db/rows.ts';
import type { Transaction } from '../db/transaction.ts';
import { pageOf } from '../http/cursor-rules.ts';

const PAGE_SIZE = 50;

type Reader = Database['kysely'];

const NO_END = 'infinity';

const UNDONE = sql`
  left join lateral (
    select sequence, at from audit_entry
    where subject_kind = 'change' and subject_id = entry.sequence::text and action = 'undo'
    order by sequence desc limit 1
  ) undone on true`;

const ENTRY = sql`
  select entry.sequence as number, ${isoTime(sql`entry.at`)} as at,
    json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor,
    entry.action, entry.reason, entry.details->>'summary' as summary,
    case when subject_kind is not null and subject_id is not null
      then json_build_object('kind', subject_kind, 'id', subject_id) end as subject,
    ${isoTime(sql`undo.until`)} as undo_until, null as undo_refusal,
    undone.sequence as undone_by
  from audit_entry entry
  left join undo_record undo
    on undo.audit_sequence = entry.sequence and undo.until > now() and undo.until < ${NO_END}
  ${UNDONE}`;

export async function listAudit(
  { kysely }: Database,
  { before = null, subject = null }: { before?: number | null; subject?: Subject | null },
): Promise<AuditPage> {
  const ofSubject = sql`
    and entry.subject_kind = ${subject?.kind} and entry.subject_id = ${subject?.id}`;
  const rows = await all<AuditEntry>(kysely)`
    ${ENTRY}
    where entry.sequence < ${before ?? Number.MAX_SAFE_INTEGER}::bigint
      ${subject === null ? sql`` : ofSubject}
    order by entry.sequence desc limit ${PAGE_SIZE + 1}::integer
  `;
  const { shown: entries, next } = pageOf(rows, PAGE_SIZE, ({ number }) => number);
  return { entries, next };
}

export function readEntry(transaction: Transaction, sequence: number) {
  return first<AuditEntry>(transaction)`
    ${ENTRY} where entry.sequence = ${sequence}::bigint`;
}

export async function readLastChange(
  transaction: Transaction,
  subject: Subject | null,
): Promise<number | null> {
  if (subject === null) return null;
  return await value<number>(transaction)`
    select coalesce(max(sequence), 0) as last from audit_entry
    where subject_kind = ${subject.kind} and subject_id = ${subject.id}
  `;
}

export async function insertUndo(
  transaction: Transaction,
  undo: { change: number; subject: Subject | null; data: object; until: Date; isLong: boolean },
): Promise<void> {
  const { change, subject, data, until, isLong } = undo;
  const memberId = subject?.kind === 'member' ? subject.id : null;
  await run(transaction)`
    insert into undo_record (audit_sequence, member_id, data, until)
    values (
      ${change}, ${memberId}, ${JSON.stringify(data)}::jsonb,
      ${isLong ? NO_END : until.toISOString()}::timestamptz)
  `;
}

export function readUndo(reader: Reader, change: number) {
  return first<{ action: ChangeKind; data: unknown; isUnderWay: boolean }>(reader)`
    select action, data, until = ${NO_END} as "isUnderWay"
    from undo_record join audit_entry on sequence = audit_sequence
    where audit_sequence = ${change} and until > now()
  `;
}

/** Returns false when another undo has taken it. That of a long change stays until it is done. */
export async function takeUndo(
  transaction: Transaction,
  change: number,
  { isLong }: { readonly isLong: boolean },
): Promise<boolean> {
  const isFree = sql`audit_sequence = ${change} and until > now() and until < ${NO_END}`;
  return await (isLong
    ? some(transaction)`
        update undo_record set until = ${NO_END} where ${isFree} returning 1`
    : some(transaction)`delete from undo_record where ${isFree} returning 1`);
}

export function endLongChange(transaction: Transaction, change: number, until: Date | null) {
  return until === null
    ? run(transaction)`delete from undo_record where audit_sequence = ${change}`
    : run(transaction)`
        update undo_record set until = ${until} where audit_sequence = ${change}`;
}

export function deleteUndoUntil(transaction: Transaction, moment: Date) {
  return run(transaction)`delete from undo_record where until <= ${moment}`;
}
