/** Mails and suppressed addresses for the operator, in pages. */
import type {
  FailedMail,
  FailedMails,
  SuppressedAddress,
  SuppressedAddresses,
  WaitingMail,
  WaitingMails,
} from '../../../contract/operator/mails.ts';
import type { Database } from '../../db/database.ts';
import {
  pageOf,
  readEndedKey,
  readWaitingKey,
  type WaitingKey,
  writeEndedKey,
  writeWaitingKey,
} from '../../http/cursor-rules.ts';
import {
  readSuppressed,
  readUndelivered,
  readWaitingBatches,
  readWaitingJobs,
  type SuppressedRow,
  type UndeliveredRow,
  type WaitingBatchRow,
  type WaitingJobRow,
} from './store.ts';

const PAGE_SIZE = 100;

const FIRST_JOB = { source: 'queue', us: 0, id: '00000000-0000-0000-0000-000000000000' } as const;
const FIRST_BATCH = { sequence: 0, ordinal: 0 } as const;
/** Later than any: in the year 2255. */
const NOW = { us: 8_999_999_999_999_999, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const;

type Page = { readonly after?: string | undefined };

/**
 * Mails that wait for their first or next attempt: those in the queue, oldest first, then those in
 * the outbox. Throws Problem invalid_field.
 */
export async function listWaitingMails(database: Database, { after }: Page): Promise<WaitingMails> {
  const start: WaitingKey = after === undefined ? FIRST_JOB : readWaitingKey(after);
  const jobs =
    start.source === 'queue' ? await readWaitingJobs(database, start, PAGE_SIZE + 1) : [];
  const found: { key: WaitingKey; entry: WaitingMail }[] = jobs.map((row) => ({
    key: { source: 'queue', us: row.queued_us, id: row.id },
    entry: viewJob(row),
  }));
  const missing = PAGE_SIZE + 1 - found.length;
  if (missing > 0) {
    const from = start.source === 'outbox' ? start : FIRST_BATCH;
    const batches = await readWaitingBatches(database, from, missing);
    for (const row of batches) {
      const { first_sequence: sequence, ordinal } = row;
      found.push({ key: { source: 'outbox', sequence, ordinal }, entry: viewBatched(row) });
    }
  }
  return entriesOf(found, writeWaitingKey);
}

/** Mails that never arrived, newest first, of the last 30 days. Throws Problem invalid_field. */
export async function listFailedMails(database: Database, { after }: Page): Promise<FailedMails> {
  const start = after === undefined ? NOW : readEndedKey(after, 'failed');
  const rows = await readUndelivered(database, start, PAGE_SIZE + 1);
  const found = rows.map((row) => ({
    key: { us: row.ended_us, id: row.id },
    entry: viewFailed(row),
  }));
  return entriesOf(found, writeEndedKey);
}

/** Addresses that get no mail, newest first. Throws Problem invalid_field. */
export async function listSuppressedAddresses(
  database: Database,
  { after }: Page,
): Promise<SuppressedAddresses> {
  const start = after === undefined ? NOW : readEndedKey(after, 'suppressed');
  const rows = await readSuppressed(database, start, PAGE_SIZE + 1);
  const found = rows.map((row) => ({
    key: { us: row.since_us, id: row.hash },
    entry: viewSuppressed(row),
  }));
  return entriesOf(found, writeEndedKey);
}

function entriesOf<Key, Entry>(
  found: readonly { key: Key; entry: Entry }[],
  write: (key: Key) => string,
): { entries: Entry[]; next: string | null } {
  const { shown, next } = pageOf(found, PAGE_SIZE, ({ key }) => write(key));
  return { entries: shown.map(({ entry }) => entry), next };
}

type OwnerRow = { readonly member_id: string | null; readonly email: string | null };

function viewOwner({ member_id: id, email }: OwnerRow): { id: string; email: string } | null {
  return id === null || email === null ? null : { id, email };
}

function viewJob(row: WaitingJobRow): WaitingMail {
  return {
    kind: row.kind,
    member: viewOwner(row),
    queued_at: row.queued_at.toISOString(),
    next_at: row.next_at.toISOString(),
    attempts: row.attempts,
    cause: row.cause,
  };
}

function viewBatched(row: WaitingBatchRow): WaitingMail {
  return {
    kind: row.kind,
    member: viewOwner(row),
    queued_at: row.queued_at.toISOString(),
    next_at: null,
    attempts: 0,
    cause: null,
  };
}

function viewFailed(row: UndeliveredRow): FailedMail {
  return {
    kind: row.kind,
    member: viewOwner(row),
    queued_at: row.queued_at.toISOString(),
    ended_at: row.ended_at.toISOString(),
    attempts: row.attempts,
    outcome: row.outcome,
    cause: row.cause,
    response_code: row.response_code,
  };
}

function viewSuppressed(row: SuppressedRow): SuppressedAddress {
  return { reason: row.reason, since: row.since.toISOString(), member: viewOwner(row) };
}
