/** The rows of a list are read, compared, and then reported, or made members in pieces. */
import { randomBytes } from 'node:crypto';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { REFERRAL_CODE_LENGTH, referralCode } from '../../../contract/referral-code-rules.ts';
import { readCsv } from '../../csv/read-csv.ts';
import { letOthersIn, partsOf } from '../../db/scheduled-work.ts';
import { inTransaction, lock, planByLookUp, type Transaction } from '../../db/transaction.ts';
import type { Job } from '../../durable-work/work.ts';
import { newMemberId } from '../../line/member-id-rules.ts';
import type { Platform } from '../../module.ts';
import { conflict, invalidField } from '../../problem.ts';
import { openComparison } from './compare-rules.ts';
import type { FileFormat } from './describe-file.ts';
import { endRun, joinPiece, leavePiece, MOVED_AT_ONCE } from './import-runs.ts';
import {
  dropContents,
  explainState,
  type ImportRecord,
  insertLines,
  lockImport,
  openReport,
  readChunks,
  readImports,
  updateImport,
} from './import-store.ts';
import { getImport } from './receive-import.ts';
import { lineOf } from './report.ts';
import { readRow } from './row-rules.ts';
import { findMembers, IMPORT, type ImportRun } from './run-store.ts';

/** Rows of one transaction: the embedded database serves joins in between. */
const ROWS_AT_ONCE = 500;
const ID_BYTES = 10;

type Storage = Pick<Platform, 'database' | 'secretKey' | 'engine'>;
type Walk<Progress> = Pick<ImportRecord, 'id' | 'state'> & {
  readonly job: Job<Progress>;
  readonly mapping: ImportMapping;
  readonly format: FileFormat;
};

export type Walks = ReturnType<typeof openWalks>;

export function openWalks({ database, secretKey, engine }: Storage, rest = letOthersIn) {
  const checks = engine.addKind<object>({
    name: 'list-check',
    async run(job) {
      const walk = await openWalk(job);
      await (walk ? check(walk) : job.step(async () => null));
    },
  });
  const imports = engine.addKind<ImportRun>({
    name: IMPORT,
    async run(job) {
      const walk = job.progress.goal === 'join' ? await openWalk(job) : null;
      if (walk) await joinAll(walk);
      else if (job.progress.goal === 'join')
        await job.step((transaction) => endRun(transaction, job));
      else await leaveAll(job);
    },
  });

  /** Null when the list was deleted, or is not there in a restored line. */
  async function openWalk<Progress>(job: Job<Progress>): Promise<Walk<Progress> | null> {
    const found = (await readImports(database)).find(({ id }) => id === job.key);
    if (!found?.mapping || !found.format) return null;
    const { id, state, mapping, format } = found;
    return { id, state, mapping, format, job };
  }

  /** Makes a step of a walk, which ends if the list was deleted. */
  async function step<Progress>(
    { id, state, job }: Walk<Progress>,
    record: Partial<ImportRecord>,
    work: (transaction: Transaction) => ReturnType<Parameters<Job<Progress>['step']>[0]>,
  ): Promise<void> {
    await job.step(async (transaction) => {
      if (!(await updateImport(transaction, { id }, { state, ...record }))) return null;
      await planByLookUp(transaction);
      return (await work(transaction)) as Progress | null;
    });
  }

  async function readRows<Progress>(walk: Walk<Progress>) {
    const { id, mapping, format } = walk;
    const options = { mapping, width: format.columns.length, now: new Date() };
    const comparison = openComparison(mapping);
    let read = 0;
    async function* readFile() {
      for await (const bytes of readChunks(database, id)) {
        yield bytes;
        read += bytes.length;
        await step(walk, { read_bytes: read }, async () => {});
      }
    }
    let isHeader = format.hasHeader;
    for await (const { cells, line } of readCsv(readFile(), format)) {
      if (!isHeader) comparison.add(readRow(cells, options), line);
      isHeader = false;
    }
    for (const _settled of comparison.settle()) await letOthersIn();
    return comparison;
  }

  async function check(walk: Walk<object>): Promise<void> {
    await step(walk, {}, (transaction) => openReport(transaction, walk.id));
    const comparison = await readRows(walk);
    for await (const part of partsOf(comparison.rows, ROWS_AT_ONCE))
      await step(walk, {}, async (transaction) => {
        comparison.judge(part, await findMembers(transaction, walk.id, comparison.keysOf(part)));
      });
    const report = comparison.report();
    const told = comparison.rows.filter(({ fault, notes }) => fault !== null || notes.length > 0);
    for await (const part of partsOf(told, ROWS_AT_ONCE))
      await step(walk, {}, (transaction) => insertLines(transaction, walk.id, part.map(lineOf)));
    await step(walk, { state: 'checked', report }, async () => null);
  }

  async function joinAll(walk: Walk<ImportRun>): Promise<void> {
    const { id, job } = walk;
    const comparison = await readRows(walk);
    const now = Date.now();
    const joiners = comparison.joinersAfter(job.progress.done_to);
    for await (const part of partsOf(joiners, MOVED_AT_ONCE, rest))
      await step(walk, {}, async (transaction) => {
        await lock(transaction, 'line');
        const members = await findMembers(transaction, id, comparison.keysOf(part));
        const named = part.map((row) => ({
          row,
          member_id: newMemberId(now, randomBytes(ID_BYTES)),
          new_code: referralCode(randomBytes(REFERRAL_CODE_LENGTH)),
        }));
        return await joinPiece(transaction, secretKey, job, comparison.draft(named, members));
      });
    await step(walk, { state: 'imported' }, (transaction) => endRun(transaction, job));
    await dropContents(database);
  }

  async function leaveAll(job: Job<ImportRun>): Promise<void> {
    for (;;) {
      await job.step((transaction) => leavePiece(transaction, job));
      await letOthersIn();
    }
  }

  return {
    imports,

    /** Checks the rows with these columns. The check goes on after the answer. */
    async beginCheck(importId: string, mapping: ImportMapping): Promise<ListImport> {
      await inTransaction(database, async (transaction) => {
        const { id, state, format } = await lockImport(transaction, importId);
        if (format === null || !['received', 'checking', 'checked'].includes(state))
          throw conflict(explainState(state));
        assertMapping(mapping, format);
        await checks.begin(transaction, id, {});
        const reset = { read_bytes: 0, report: null };
        await updateImport(transaction, { id }, { state: 'checking', mapping, ...reset });
      });
      const view = await getImport(database, importId);
      // What it fails with is logged, and any server checks it again.
      checks.finish(view.id).catch(() => {});
      return view;
    },
  };
}

function assertMapping({ columns, order }: ImportMapping, format: FileFormat): void {
  const used = Object.values(columns);
  if (used.some((column) => column >= format.columns.length))
    throw invalidField(`The file has ${format.columns.length} columns.`);
  if (new Set(used).size < used.length)
    throw invalidField('A column of the file can be used for one field only.');
  if (order === 'joined_at' && columns.joined_at === undefined)
    throw invalidField('Say which column has the time of joining, to order by it.');
}
