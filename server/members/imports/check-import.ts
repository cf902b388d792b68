import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { REFERRAL_CODE_LENGTH, referralCode } from '../../../contract/referral-code-rules.ts';
import { readCsv } from '../../csv/read-csv.ts';
import type { Database } from '../../db/database.ts';
import { partsOf } from '../../db/scheduled-work.ts';
import { inTransaction, planByLookUp, type Transaction } from '../../db/transaction.ts';
import { logFailure } from '../../http/request-log.ts';
import { newMemberId } from '../../line/member-id-rules.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import { openComparison } from './compare-rules.ts';
import type { FileFormat } from './describe-file.ts';
import {
  explainState,
  type ImportRecord,
  lockImport,
  openRows,
  readChunks,
  readImport,
  refuseImport,
  updateImport,
} from './import-store.ts';
import { getImport } from './receive-import.ts';
import { readRow } from './row-rules.ts';
import { findMembers, type ImportRow, insertRows } from './row-store.ts';

/** Rows of one transaction: the embedded database serves joins in between. */
const ROWS_AT_ONCE = 500;
const ID_BYTES = 10;

type Check = {
  readonly id: string;
  readonly checkId: string;
  readonly mapping: ImportMapping;
  readonly format: FileFormat;
};

/** Another check of the same import is wanted, or it is deleted. */
class Replaced extends Error {}

export function openImportChecks(database: Database, log: FastifyBaseLogger) {
  const running = new Set<Promise<void>>();
  let isClosed = false;

  /** Begins anew as long as something replaces the check, as an erasure does. */
  async function run(importId: string): Promise<void> {
    try {
      for (let next = await claim(importId); next !== null; next = await claim(importId))
        await attempt(next);
    } catch (error) {
      if (!isClosed) logFailure(log, 'error', error, 'a list could not be checked');
    }
  }

  async function attempt(check: Check): Promise<void> {
    try {
      await checkRows(check);
    } catch (error) {
      if (error instanceof Problem && error.code === 'invalid_field')
        await refuseImport(database, check, error.detail);
      else if (!(error instanceof Replaced)) throw error;
    }
  }

  /** Null when no check is wanted, or another one goes on. */
  async function claim(id: string): Promise<Check | null> {
    const checkId = randomUUID();
    return await inTransaction(database, async (transaction) => {
      const begun = { check_id: checkId, read_bytes: 0 };
      if (isClosed || !(await updateImport(transaction, { id, checkId: null }, begun))) return null;
      await openRows(transaction, id);
      const { mapping, format } = await readImport(transaction, id);
      return mapping && format && { id, checkId, mapping, format };
    });
  }

  /** Works in a transaction of the check, unless that was replaced. */
  async function step(
    check: Check,
    progress: Partial<ImportRecord>,
    work: (transaction: Transaction) => Promise<void> = async () => {},
  ): Promise<void> {
    await inTransaction(database, async (transaction) => {
      if (isClosed || !(await updateImport(transaction, check, progress))) throw new Replaced();
      await planByLookUp(transaction);
      await work(transaction);
    });
  }

  async function checkRows(check: Check): Promise<void> {
    const { id, mapping, format } = check;
    const now = new Date();
    const { rows, ...comparison } = openComparison(mapping);
    let read = 0;
    async function* readFile() {
      for await (const bytes of readChunks(database, id)) {
        yield bytes;
        read += bytes.length;
        await step(check, { read_bytes: read });
      }
    }
    let isHeader = format.hasHeader;
    for await (const { cells, line } of readCsv(readFile(), format)) {
      if (!isHeader)
        comparison.add(readRow(cells, { mapping, width: format.columns.length, now }), line);
      isHeader = false;
    }
    for await (const part of partsOf(rows, ROWS_AT_ONCE))
      await step(check, {}, async (transaction) => {
        const members = await findMembers(transaction, comparison.keysOf(part));
        for (const row of part) comparison.judge(row, members);
      });
    comparison.place();
    for await (const part of partsOf(rows, ROWS_AT_ONCE))
      await step(check, {}, (transaction) =>
        insertRows(
          transaction,
          id,
          part.map((row) => ({ ...row, ...newNames(now) })),
        ),
      );
    await step(check, { state: 'checked', report: comparison.report() });
  }

  return {
    async begin(importId: string, mapping: ImportMapping): Promise<ListImport> {
      await inTransaction(database, async (transaction) => {
        const { id, state, format } = await lockImport(transaction, importId);
        if (format === null || !['received', 'checking', 'checked'].includes(state))
          throw conflict(explainState(state));
        assertMapping(mapping, format);
        const reset = { check_id: null, checked_at: new Date(), read_bytes: 0, report: null };
        await updateImport(transaction, { id }, { state: 'checking', mapping, ...reset });
      });
      const done = run(importId).finally(() => running.delete(done));
      running.add(done);
      return await getImport(database, importId);
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(running);
    },
  };
}

/** The id and the code that the member gets who comes of a row. */
function newNames(now: Date): Pick<ImportRow, 'member_id' | 'new_code'> {
  const random = randomBytes(ID_BYTES + REFERRAL_CODE_LENGTH);
  return {
    member_id: newMemberId(now.getTime(), random.subarray(0, ID_BYTES)),
    new_code: referralCode(random.subarray(ID_BYTES)),
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
