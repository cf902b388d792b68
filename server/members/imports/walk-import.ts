/** The rows of a list are read, compared, and then reported, or made members in pieces. */
import { randomBytes } from 'node:crypto';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { REFERRAL_CODE_LENGTH, referralCode } from '../../../contract/referral-code-rules.ts';
import { readCsv } from '../../csv/read-csv.ts';
import { letOthersIn, partsOf } from '../../db/scheduled-work.ts';
import { inTransaction, lock, planByLookUp, type Transaction } from '../../db/transaction.ts';
import { logFailure } from '../../http/request-log.ts';
import { newMemberId } from '../../line/member-id-rules.ts';
import type { Platform } from '../../module.ts';
import { conflict, invalidField } from '../../problem.ts';
import { openComparison } from './compare-rules.ts';
import type { FileFormat } from './describe-file.ts';
import { endRun, joinPiece, MOVED_AT_ONCE } from './import-runs.ts';
import {
  claimImport,
  dropContents,
  explainState,
  type ImportRecord,
  insertLines,
  lockImport,
  openReport,
  readChunks,
  updateImport,
} from './import-store.ts';
import { getImport } from './receive-import.ts';
import { lineOf } from './report.ts';
import { readRow } from './row-rules.ts';
import { findMembers, lockRun } from './run-store.ts';

/** Rows of one transaction: the embedded database serves joins in between. */
const ROWS_AT_ONCE = 500;
const ID_BYTES = 10;

type Storage = Pick<Platform, 'database' | 'secretKey' | 'log' | 'isStopping'>;
type Walk = {
  readonly id: string;
  readonly checkId: string;
  readonly mapping: ImportMapping;
  readonly format: FileFormat;
};

export type Walks = ReturnType<typeof openWalks>;

/** The import is wanted otherwise by now, or its file is another one, or is deleted. */
class Replaced extends Error {}

export function openWalks({ database, secretKey, log, isStopping }: Storage, rest = letOthersIn) {
  const running = new Set<Promise<void>>();
  let isClosed = false;

  /** Begins anew as long as something replaces the walk, as an erasure does. */
  async function run(importId: string): Promise<void> {
    for (;;) {
      const claimed = isClosed || isStopping() ? null : await claimImport(database, importId);
      const { id, check_id: checkId, mapping, format, state } = claimed ?? {};
      if (!id || !checkId || !mapping || !format) return;
      const walk = { id, checkId, mapping, format };
      try {
        await (state === 'checking' ? check(walk) : joinAll(walk));
      } catch (error) {
        if (!(error instanceof Replaced)) throw error;
      }
    }
  }

  /** Works in a transaction of the walk, unless that was replaced. */
  async function step<T>(
    walk: Walk,
    progress: Partial<ImportRecord>,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return await inTransaction(database, async (transaction) => {
      const isStopped = isClosed || isStopping();
      if (isStopped || !(await updateImport(transaction, walk, progress))) throw new Replaced();
      await planByLookUp(transaction);
      return await work(transaction);
    });
  }

  async function readRows(walk: Walk) {
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

  async function check(walk: Walk): Promise<void> {
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
    await step(walk, { state: 'checked', report }, async () => {});
  }

  async function joinAll(walk: Walk): Promise<void> {
    const comparison = await readRows(walk);
    const { done_to: done } = await step(walk, {}, (transaction) => lockRun(transaction, walk.id));
    const now = Date.now();
    for await (const part of partsOf(comparison.joinersAfter(done), MOVED_AT_ONCE, rest))
      await step(walk, {}, async (transaction) => {
        const run = await lockRun(transaction, walk.id);
        await lock(transaction, 'line');
        const members = await findMembers(transaction, walk.id, comparison.keysOf(part));
        const named = part.map((row) => ({
          row,
          member_id: newMemberId(now, randomBytes(ID_BYTES)),
          new_code: referralCode(randomBytes(REFERRAL_CODE_LENGTH)),
        }));
        await joinPiece(transaction, secretKey, run, comparison.draft(named, members));
      });
    await step(walk, { state: 'imported' }, async (transaction) =>
      endRun(transaction, await lockRun(transaction, walk.id)),
    );
    await dropContents(database);
  }

  return {
    run,

    /** Checks the rows with these columns. The check goes on after the answer. */
    async beginCheck(importId: string, mapping: ImportMapping): Promise<ListImport> {
      await inTransaction(database, async (transaction) => {
        const { id, state, format } = await lockImport(transaction, importId);
        if (format === null || !['received', 'checking', 'checked'].includes(state))
          throw conflict(explainState(state));
        assertMapping(mapping, format);
        const reset = { check_id: null, checked_at: new Date(), read_bytes: 0, report: null };
        await updateImport(transaction, { id }, { state: 'checking', mapping, ...reset });
      });
      const done = run(importId)
        .catch((error: unknown) => {
          if (!isClosed) logFailure(log, 'error', error, 'a list could not be checked');
        })
        .finally(() => running.delete(done));
      running.add(done);
      return await getImport(database, importId);
    },

    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(running);
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
