import type {
  FailedMails,
  SuppressedAddresses,
  WaitingMail,
  WaitingMails,
} from '../../../contract/operator/mails.ts';
import type { Database } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import {
  pageOf,
  readEndedKey,
  readWaitingKey,
  type WaitingKey,
  writeEndedKey,
  writeWaitingKey,
} from '../../http/cursor-rules.ts';
import {
  type OwnerRow,
  readSuppressed,
  readUndelivered,
  readWaitingBatches,
  readWaitingJobs,
} from './store.ts';

const PAGE_SIZE = 100;

const FIRST_JOB = { source: 'queue', us: 0, id: '00000000-0000-0000-0000-000000000000' } as const;
const FIRST_BATCH = { sequence: 0, ordinal: 0 } as const;
const NOW = { us: 8_999_999_999_999_999, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } as const;

type Page = { readonly after?: string | undefined };

export async function listWaitingMails(database: Database, { after }: Page): Promise<WaitingMails> {
  const start: WaitingKey = after === undefined ? FIRST_JOB : readWaitingKey(after);
  const jobs =
    start.source === 'queue' ? await readWaitingJobs(database, start, PAGE_SIZE + 1) : [];
  const found: { key: WaitingKey; entry: WaitingMail }[] = jobs.map(
    ({ id, queued_us: us, ...row }) => ({ key: { source: 'queue', us, id }, entry: view(row) }),
  );
  const missing = PAGE_SIZE + 1 - found.length;
  if (missing > 0) {
    const from = start.source === 'outbox' ? start : FIRST_BATCH;
    const batches = await readWaitingBatches(database, from, missing);
    for (const { first_sequence: sequence, ordinal, ...row } of batches)
      found.push({
        key: { source: 'outbox', sequence, ordinal },
        entry: { ...view(row), next_at: null, attempts: 0, cause: null },
      });
  }
  return entriesOf(found, writeWaitingKey);
}

export async function listFailedMails(database: Database, { after }: Page): Promise<FailedMails> {
  const start = after === undefined ? NOW : readEndedKey(after, 'failed');
  const rows = await readUndelivered(database, start, PAGE_SIZE + 1);
  const found = rows.map(({ id, ended_us: us, ...row }) => ({ key: { us, id }, entry: view(row) }));
  return entriesOf(found, writeEndedKey);
}

export async function listSuppressedAddresses(
  database: Database,
  { after }: Page,
): Promise<SuppressedAddresses> {
  const start = after === undefined ? NOW : readEndedKey(after, 'suppressed');
  const rows = await readSuppressed(database, start, PAGE_SIZE + 1);
  const found = rows.map(({ hash: id, since_us: us, ...row }) => ({
    key: { us, id },
    entry: view(row),
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

function view<Row extends OwnerRow>({ member_id: id, email, ...row }: Row) {
  return { ...isoRow(row), member: id === null || email === null ? null : { id, email } };
}
