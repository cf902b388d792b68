/** Lists are read and compared, then reported, or made members in pieces, who can leave again. */
import { randomBytes } from 'node:crypto';
import type { ImportMapping } from '../../../contract/operator/imports/list-import.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { countOf } from '../../changes/count-words.ts';
import { readCsv } from '../../csv/read-csv.ts';
import { letOthersIn, partsOf } from '../../db/scheduled-work.ts';
import { lock, planByLookUp, type Transaction } from '../../db/transaction.ts';
import type { Job } from '../../durable-work/work.ts';
import { deleteMails, removeMembers } from '../../line/changes/change-store.ts';
import { newMemberId } from '../../line/member-id-rules.ts';
import { suppressAddress } from '../../mail/suppression/store.ts';
import type { Platform } from '../../module.ts';
import { Problem } from '../../problem.ts';
import {
  compareWithLine,
  draftPiece,
  lineOf,
  openRow,
  type Piece,
  type Row,
  settleRows,
  summarizeRows,
} from './compare-rules.ts';
import { describeFile, type FileDescription } from './describe-file.ts';
import {
  CHECK,
  dropContents,
  findImport,
  type ImportRecord,
  insertLines,
  openReport,
  readChunks,
  updateImport,
} from './import-store.ts';
import { readRow } from './row-rules.ts';
import {
  findMembers,
  findNextPiece,
  IMPORT,
  type ImportRun,
  joinMembers,
  leaveUntold,
  linkFriends,
  readImported,
} from './run-store.ts';

/** Rows compared in one transaction: the embedded database serves joins in between. */
const ROWS_AT_ONCE = 500;
/** Members who join or leave at once: the line is locked for less than a tenth of a second. */
export const MOVED_AT_ONCE = 500;
const ID_BYTES = 10;

type Storage = Pick<Platform, 'database' | 'secretKey' | 'engine'>;
type Mapped = ImportRecord & {
  readonly mapping: ImportMapping;
  readonly file: FileDescription;
};

export type Walks = ReturnType<typeof openWalks>;

export function openWalks({ database, secretKey, engine }: Storage, rest = letOthersIn) {
  const lists = engine.addKind<object>({ name: CHECK, run: readList });
  const imports = engine.addKind<ImportRun>({
    name: IMPORT,
    run: (job) => (job.progress.goal === 'join' ? joinAll(job) : leaveAll(job)),
  });

  /** Describes a list that has arrived, and checks one that is mapped. */
  async function readList(job: Job<object>): Promise<void> {
    const list = await findImport(database.kysely, job.key);
    if (list?.state === 'receiving') await describe(job);
    else if (isMapped(list)) await check(job, list);
    else await job.step(async () => null);
  }

  async function describe(job: Job<object>): Promise<void> {
    const described = await describeFile(() => readChunks(database, job.key)).then(
      (file) => ({ state: 'received', file }) as const,
      (error: unknown) => {
        if (error instanceof Problem) return { state: 'refused', problem: error.detail } as const;
        throw error;
      },
    );
    await job.step(async (transaction) => {
      await updateImport(transaction, job.key, described);
      return null;
    });
    await dropContents(database);
  }

  /** Rows in the order of their places. */
  async function readRows(job: Pick<Job<object>, 'step'>, { id, mapping, file }: Mapped) {
    const options = { mapping, width: file.columns.length, now: new Date() };
    const rows: Row[] = [];
    let read = 0;
    async function* readFile() {
      for await (const bytes of readChunks(database, id)) {
        yield bytes;
        read += bytes.length;
        await job.step(async (transaction) => {
          await updateImport(transaction, id, { read_bytes: read });
        });
      }
    }
    let isHeader = file.has_header;
    for await (const record of readCsv(readFile(), file)) {
      if (!isHeader) rows.push(openRow(readRow(record, options)));
      isHeader = false;
    }
    for (const _settled of settleRows(rows, mapping)) await letOthersIn();
    return rows;
  }

  async function check(job: Job<object>, list: Mapped): Promise<void> {
    const { id, mapping } = list;
    await job.step((transaction) => openReport(transaction, id));
    const rows = await readRows(job, list);
    for await (const part of partsOf(rows, ROWS_AT_ONCE))
      await job.step(async (transaction) => {
        await planByLookUp(transaction);
        compareWithLine(part, await findMembers(transaction, part));
      });
    const report = summarizeRows(rows, mapping);
    const told = rows.filter(({ fault, notes }) => fault !== null || notes.length > 0);
    for await (const part of partsOf(told, ROWS_AT_ONCE))
      await job.step((transaction) => insertLines(transaction, id, part.map(lineOf)));
    await job.step(async (transaction) => {
      await updateImport(transaction, id, { state: 'checked', report });
      return null;
    });
  }

  async function joinAll(job: Job<ImportRun>): Promise<void> {
    const list = await findImport(database.kysely, job.key);
    const rows = isMapped(list) ? await readRows(job, list) : [];
    const now = Date.now();
    const joiners = rows.filter(
      ({ fault, place }) => fault === null && place > job.progress.done_to,
    );
    for await (const piece of partsOf(joiners, MOVED_AT_ONCE, rest))
      await job.step(async (transaction) => {
        await planByLookUp(transaction);
        await lock(transaction, 'line');
        compareWithLine(piece, await findMembers(transaction, piece));
        for (const row of piece) row.member_id ??= newMemberId(now, randomBytes(ID_BYTES));
        return await joinPiece(transaction, job, draftPiece(piece));
      });
    await job.step(async (transaction) => {
      await updateImport(transaction, job.key, { state: 'imported' });
      return await endRun(transaction, job);
    });
    await dropContents(database);
  }

  async function joinPiece(
    transaction: Transaction,
    { key: importId, progress: run }: Job<ImportRun>,
    { last, drafts, links, met }: Piece,
  ): Promise<ImportRun> {
    const { options } = run;
    const given = [...drafts, ...links].filter(({ credit }) => options.givesCredit && !credit);
    const credited = given.flatMap(({ referrer_id: id }) => id ?? []);
    await leaveUntold(transaction, { importId, credited }, async () => {
      if (drafts.length > 0) await joinMembers(transaction, { importId, options }, drafts);
      if (links.length > 0) await linkFriends(transaction, { importId, options }, links);
    });
    for (const { mail_state: reason, email_identity: identity } of drafts)
      if (reason !== null && identity !== null)
        await suppressAddress({ kysely: transaction }, secretKey, { identity, reason });
    return {
      ...run,
      done_to: last,
      moved: run.moved + drafts.length,
      left_out: run.left_out + met,
    };
  }

  async function leaveAll(job: Job<ImportRun>): Promise<void> {
    for (;;) {
      await job.step((transaction) => leavePiece(transaction, job));
      await letOthersIn();
    }
  }

  return { database, lists, imports };
}

function isMapped(list: ImportRecord | null): list is Mapped {
  return list !== null && list.mapping !== null && list.file !== null;
}

/** Lets the next members of an import leave again. */
async function leavePiece(
  transaction: Transaction,
  job: Pick<Job<ImportRun>, 'key' | 'progress'>,
): Promise<ImportRun | null> {
  const run = job.progress;
  await planByLookUp(transaction);
  const piece = await findNextPiece(transaction, { importId: job.key, done: run.done_to });
  if (piece === null) return await endRun(transaction, job);
  const readLeaving = async () => {
    const members = await readImported(transaction, job.key, piece);
    return { members, ids: members.filter((one) => !one.has_friends).map(({ id }) => id) };
  };
  await deleteMails(transaction, (await readLeaving()).ids);
  await lock(transaction, 'line');
  const { members, ids } = await readLeaving();
  if (ids.length > 0) await removeMembers(transaction, ids, null);
  return {
    ...run,
    done_to: piece.last,
    moved: run.moved + ids.length,
    left_out: run.left_out + members.length - ids.length,
  };
}

/** Ends the import or its undo. */
async function endRun(
  transaction: Transaction,
  { key, progress: run }: Pick<Job<ImportRun>, 'key' | 'progress'>,
): Promise<null> {
  const { options: _options, ...details } = run;
  await recordAudit(transaction, {
    actor: { kind: 'system', id: null, name: 'import' },
    action: run.goal === 'join' ? 'import-ended' : 'import-undone',
    subject: null,
    reason: null,
    details: { summary: describeRun(run), import: key, ...details },
  });
  return null;
}

/** What has come of it. */
export function describeRun({ goal, options, moved, left_out }: ImportRun): string {
  if (goal === 'join') {
    const leftOut = options.rows - moved;
    return (
      `${countOf(moved, 'member')} joined from ${options.file}, ` +
      `${countOf(leftOut, 'row')} of it ${leftOut === 1 ? 'was' : 'were'} left out.`
    );
  }
  const left = `${countOf(moved, 'imported member')} left the line again.`;
  if (left_out === 0) return left;
  return `${left} ${countOf(left_out, 'member')} stayed: friends have joined by them since.`;
}
