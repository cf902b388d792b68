import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { REFERRAL_CODE_LENGTH, referralCode } from '../../../contract/referral-code-rules.ts';
import { type CsvRecord, readCsv } from '../../csv/read-csv.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction, planByLookUp, type Transaction } from '../../db/transaction.ts';
import { logFailure } from '../../http/request-log.ts';
import { newMemberId } from '../../line/member-id-rules.ts';
import { conflict, invalidField, Problem } from '../../problem.ts';
import type { FileFormat } from './describe-file.ts';
import {
  dropContents,
  explainState,
  type ImportRecord,
  lockImport,
  openRows,
  readChunks,
  updateImport,
} from './import-store.ts';
import { placeRows } from './place-rules.ts';
import { getImport } from './receive-import.ts';
import { readRow, type StagedRow } from './row-rules.ts';
import {
  chooseCodes,
  findReferrers,
  insertRows,
  markKnownAddresses,
  type Piece,
  readPiece,
  writePlaces,
} from './row-store.ts';

/** Rows of one transaction: the embedded database serves joins in between. */
const STAGED_ROWS = 500;
const COMPARED_ROWS = 500;
const ID_BYTES = 10;

type Check = {
  readonly id: string;
  readonly checkId: string;
  readonly mapping: ImportMapping;
  readonly format: FileFormat;
};

/** Another check of the same import has begun, or the import is deleted. */
class Replaced extends Error {}

export function openImportChecks(database: Database, log: FastifyBaseLogger) {
  const running = new Set<Promise<void>>();
  let isClosed = false;

  async function run(check: Check): Promise<void> {
    try {
      const report = await compareRows(check, await stageRows(check));
      const isLast = await updateImport(database.kysely, check, { state: 'checked', report });
      if (!isLast) throw new Replaced();
    } catch (error) {
      if (isClosed) return;
      if (error instanceof Replaced) return await repeatAfterErasure(check);
      if (error instanceof Problem && error.code === 'invalid_field') {
        await updateImport(database.kysely, check, { state: 'refused', problem: error.detail });
        await dropContents(database);
      } else logFailure(log, 'error', error, 'a list could not be checked');
    }
  }

  /** A member was erased, so the file is another one: the check has no id. */
  async function repeatAfterErasure(check: Check): Promise<void> {
    const { id, checkId } = check;
    const isErased = await inTransaction(database, async (transaction) => {
      const begun = { check_id: checkId, read_bytes: 0 };
      if (!(await updateImport(transaction, { id, checkId: null }, begun))) return false;
      await openRows(transaction, id);
      return true;
    });
    if (isErased) await run(check);
  }

  /** Works in a transaction of the check, unless that was replaced, and lets joins in after it. */
  async function step(
    check: Check,
    progress: Partial<ImportRecord>,
    work: (transaction: Transaction) => Promise<void>,
  ): Promise<void> {
    await inTransaction(database, async (transaction) => {
      if (isClosed || !(await updateImport(transaction, check, progress))) throw new Replaced();
      await work(transaction);
    });
    await letOthersIn();
  }

  async function stageRows(check: Check): Promise<number> {
    const { id, mapping, format } = check;
    const options = { mapping, width: format.columns.length, now: new Date() };
    let readBytes = 0;
    async function* readFile() {
      for await (const bytes of readChunks(database, id)) {
        readBytes += bytes.length;
        yield bytes;
      }
    }
    let rows: StagedRow[] = [];
    let ordinal = format.hasHeader ? -1 : 0;
    async function stage(): Promise<void> {
      const staged = rows;
      rows = [];
      await step(check, { read_bytes: readBytes }, (transaction) =>
        insertRows(transaction, id, staged),
      );
    }
    for await (const record of readCsv(readFile(), format)) {
      ordinal += 1;
      if (ordinal > 0) rows.push(stagedRow(record, ordinal, options));
      if (rows.length === STAGED_ROWS) await stage();
    }
    await stage();
    return ordinal;
  }

  async function compareRows(check: Check, rows: number): Promise<ListImport['report']> {
    const { order } = check.mapping;
    await eachPiece(check, rows, markKnownAddresses);
    await eachPiece(check, rows, async (transaction, piece) => {
      await findReferrers(transaction, piece);
      await chooseCodes(transaction, piece);
    });
    const referrers = new Int32Array(rows).fill(-1);
    const times = new Float64Array(rows).fill(Number.NaN);
    const withheld = new Set<number>();
    const referrersInLine = new Set<string>();
    const counts = { importable: 0, noted: 0, invited: 0 };
    const kinds: Record<string, number> = {};
    const countKind = (kind: string) => {
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    };
    await eachPiece(check, rows, async (transaction, piece) => {
      for (const row of await readPiece(transaction, piece)) {
        if (row.fault !== null) {
          countKind(row.fault);
          continue;
        }
        times[row.ordinal - 1] = order === 'file' ? 0 : (row.joined_at?.getTime() ?? 0);
        referrers[row.ordinal - 1] = (row.referrer_ordinal ?? 0) - 1;
        if (row.credit !== null) withheld.add(row.ordinal - 1);
        else if (row.referrer_id !== null) referrersInLine.add(row.referrer_id);
      }
    });
    const placed = placeRows(referrers, times, withheld);
    await eachPiece(check, rows, async (transaction, piece) => {
      const ofPiece = placed.slice(piece.first - 1, piece.last).filter((row) => row !== null);
      for (const row of await writePlaces(transaction, piece, ofPiece)) {
        counts.importable += 1;
        if (row.notes.length > 0) counts.noted += 1;
        if (row.referrer_id !== null || row.referrer_ordinal !== null) counts.invited += 1;
        row.notes.forEach(countKind);
      }
    });
    return {
      rows,
      ...counts,
      left_out: rows - counts.importable,
      credited_in_line: referrersInLine.size,
      kinds,
    };
  }

  async function eachPiece(
    check: Check,
    rows: number,
    work: (transaction: Transaction, piece: Piece) => Promise<void>,
  ): Promise<void> {
    for (let first = 1; first <= rows; first += COMPARED_ROWS) {
      const last = Math.min(first + COMPARED_ROWS - 1, rows);
      await step(check, {}, async (transaction) => {
        await planByLookUp(transaction);
        await work(transaction, { importId: check.id, first, last, order: check.mapping.order });
      });
    }
  }

  return {
    async begin(importId: string, mapping: ImportMapping): Promise<ListImport> {
      const checkId = randomUUID();
      const check = await inTransaction(database, async (transaction) => {
        const { id, state, format } = await lockImport(transaction, importId);
        if (format === null || !['received', 'checking', 'checked'].includes(state))
          throw conflict(explainState(state));
        assertMapping(mapping, format);
        const checked_at = new Date();
        const reset = { check_id: checkId, checked_at, mapping, read_bytes: 0, report: null };
        await updateImport(transaction, { id }, { state: 'checking', ...reset });
        await openRows(transaction, id);
        return { id, checkId, mapping, format };
      });
      const done = run(check).finally(() => running.delete(done));
      running.add(done);
      return await getImport(database, importId);
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(running);
    },
  };
}

function stagedRow(
  { line, cells }: CsvRecord,
  ordinal: number,
  options: Parameters<typeof readRow>[1],
): StagedRow {
  const random = randomBytes(ID_BYTES + REFERRAL_CODE_LENGTH);
  return {
    ...readRow(cells, options),
    ordinal,
    line,
    member_id: newMemberId(options.now.getTime(), random.subarray(0, ID_BYTES)),
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
