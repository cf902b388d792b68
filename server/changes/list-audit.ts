import type { AuditEntry, AuditPage } from '../../contract/operator/changes.ts';
import type { Database } from '../db/database.ts';
import type { Subject } from './audit/audit-record.ts';
import { type EntryRow, readEntries } from './changes-store.ts';

const PAGE_SIZE = 50;

/** What operators did, newest first, with what can be undone; of one subject, or of all. */
export async function listAudit(
  database: Database,
  { before = null, subject = null }: { before?: number | null; subject?: Subject | null },
): Promise<AuditPage> {
  const rows = await readEntries(database, { before, subject, limit: PAGE_SIZE + 1 });
  const shown = rows.slice(0, PAGE_SIZE);
  return {
    entries: shown.map(viewEntry),
    next: rows.length > PAGE_SIZE ? (shown.at(-1)?.sequence ?? null) : null,
  };
}

function viewEntry(row: EntryRow): AuditEntry {
  const { subject_kind: kind, subject_id: id } = row;
  return {
    number: row.sequence,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subject: kind === null || id === null ? null : { kind, id },
    reason: row.reason,
    summary: row.summary,
    undo_until: row.undo_until?.toISOString() ?? null,
    undone_by: row.undone_by,
  };
}
