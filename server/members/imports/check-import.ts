/** The check of a file against itself and the line: its rows staged, with faults and notes. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { ImportMapping, ListImport } from '../../../contract/operator/imports/list-import.ts';
import { REFERRAL_CODE_LENGTH, referralCode } from '../../../contract/referral-code-rules.ts';
import { decodeLines } from '../../csv/encoding.ts';
import { type CsvRecord, readRecords } from '../../csv/records.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction, planByLookUp, type Transaction } from '../../db/transaction.ts';
import { logFailure } from '../../http/request-log.ts';
import { newMemberId } from '../../line/member-id-rules.ts';
import { Problem } from '../../problem.ts';
import type { FileFormat } from './describe-file.ts';
import { deleteRows, lockImport, noteProgress, readChunks, updateImport } from './import-store.ts';
import { getImport, readImportId, unknownImport } from './receive-import.ts';
import {
  chooseCodes,
  countKinds,
  countRows,
  findReferrers,
  insertRows,
  markKnownAddresses,
  type Piece,
  readForPlaces,
  type StagedRow,
  writePlaces,
} from './row-store.ts';
import { placeRows } from './rows/place-rules.ts';
import { readRow } from './rows/row-rules.ts';

/** Rows of one transaction: the embedded database serves joins in between. */
const BATCH_ROWS = 1_000;
/** Rows that are compared in one transaction. */
const PIECE_ROWS = 2_000;
/** The random part of a member id. */
const ID_BYTES = 10;

export type ImportChecks = {
  /**
   * Begins a check, which replaces one under way: it goes on after the answer, and reading the
   * import shows its progress. Throws Problem conflict or invalid_field.
   */
  begin(importId: string, mapping: ImportMapping): Promise<ListImport>;
  /** Stops checks under way: they can be begun again. */
  close(): Promise<void>;
};

type Check = {
  readonly id: string;
  readonly checkId: string;
  readonly mapping: ImportMapping;
  readonly format: FileFormat;
};

/** Another check of the same import has begun, or the import is deleted. */
class Replaced extends Error {}

export function openImportChecks(database: Database, log: FastifyBaseLogger): ImportChecks {
  const running = new Set<Promise<void>>();
  let isClosed = false;

  async function run(check: Check): Promise<void> {
    try {
      await deleteRows(database, check.id);
      const rows = await stageRows(check);
      await compareRows(check, rows);
    } catch (error) {
      if (error instanceof Replaced || isClosed) return;
      if (error instanceof Problem && error.code === 'invalid_field')
        await finish(check, { state: 'refused', problem: error.detail });
      else logFailure(log, 'error', error, 'a list could not be checked');
    }
  }

  async function stageRows({ id, checkId, mapping, format }: Check): Promise<number> {
    const width = format.columns.length;
    const now = new Date();
    let readBytes = 0;
    async function* readFile() {
      for await (const bytes of readChunks(database, id)) {
        readBytes += bytes.length;
        yield bytes;
      }
    }
    let ordinal = 0;
    const stage = async (records: readonly CsvRecord[]) => {
      const random = randomBytes(records.length * (ID_BYTES + REFERRAL_CODE_LENGTH));
      const rows = records.map(({ line, cells }, index): StagedRow => {
        const from = index * (ID_BYTES + REFERRAL_CODE_LENGTH);
        ordinal += 1;
        return {
          ...readRow(cells, { mapping, width, now }),
          ordinal,
          line,
          member_id: newMemberId(now.getTime(), random.subarray(from, from + ID_BYTES)),
          new_code: referralCode(
            random.subarray(from + ID_BYTES, from + ID_BYTES + REFERRAL_CODE_LENGTH),
          ),
        };
      });
      await inTransaction(database, async (transaction) => {
        if (isClosed || !(await noteProgress(transaction, { id, checkId, readBytes })))
          throw new Replaced();
        await insertRows(transaction, id, rows);
      });
      await letOthersIn();
    };
    let batch: CsvRecord[] = [];
    let isFirst = true;
    for await (const record of readRecords(
      decodeLines(readFile(), format.encoding),
      format.separator,
    )) {
      const isHeader = isFirst && format.hasHeader;
      isFirst = false;
      if (isHeader) continue;
      batch.push(record);
      if (batch.length < BATCH_ROWS) continue;
      await stage(batch);
      batch = [];
    }
    await stage(batch);
    return ordinal;
  }

  /** A piece at a time, so that on the embedded database joins have their turns. */
  async function compareRows(check: Check, rows: number): Promise<void> {
    const { order } = check.mapping;
    await eachPiece(check, rows, (transaction, piece) =>
      markKnownAddresses(transaction, piece, order),
    );
    await eachPiece(check, rows, async (transaction, piece) => {
      await findReferrers(transaction, piece);
      await chooseCodes(transaction, piece);
    });
    const referrers = new Int32Array(rows).fill(-1);
    const times = new Float64Array(rows).fill(Number.NaN);
    const referrersInLine = new Set<string>();
    await eachPiece(check, rows, async (transaction, piece) => {
      for (const row of await readForPlaces(transaction, piece)) {
        times[row.ordinal - 1] = order === 'file' ? 0 : (row.joined_micros ?? 0);
        referrers[row.ordinal - 1] = (row.referrer_ordinal ?? 0) - 1;
        if (row.referrer_id !== null) referrersInLine.add(row.referrer_id);
      }
    });
    const placed = placeRows(referrers, times);
    const counts = { rows: 0, importable: 0, noted: 0, invited: 0 };
    const kinds: Record<string, number> = {};
    await eachPiece(check, rows, async (transaction, piece) => {
      const ofPiece = placed.slice(piece.first - 1, piece.last).filter((row) => row !== null);
      await writePlaces(transaction, piece, ofPiece);
      const found = await countRows(transaction, piece);
      for (const name of ['rows', 'importable', 'noted', 'invited'] as const)
        counts[name] += found[name];
      for (const { kind, rows: many } of await countKinds(transaction, piece))
        kinds[kind] = (kinds[kind] ?? 0) + many;
    });
    const report: ListImport['report'] = {
      ...counts,
      left_out: counts.rows - counts.importable,
      credited_in_line: referrersInLine.size,
      kinds,
    };
    await finish(check, { state: 'checked', report: JSON.stringify(report) });
  }

  async function eachPiece(
    { id, checkId }: Check,
    rows: number,
    work: (transaction: Transaction, piece: Piece) => Promise<void>,
  ): Promise<void> {
    for (let first = 1; first <= rows; first += PIECE_ROWS) {
      const last = Math.min(first + PIECE_ROWS - 1, rows);
      await inTransaction(database, async (transaction) => {
        await planByLookUp(transaction);
        await work(transaction, { importId: id, first, last });
        if (isClosed || !(await noteProgress(transaction, { id, checkId }))) throw new Replaced();
      });
      await letOthersIn();
    }
  }

  async function finish(
    { id, checkId }: Check,
    values: Parameters<typeof updateImport>[2],
  ): Promise<void> {
    await inTransaction(database, async (transaction) => {
      const known = await lockImport(transaction, id);
      if (known?.check_id === checkId && known.state === 'checking')
        await updateImport({ kysely: transaction }, id, values);
    });
  }

  return {
    async begin(importId, mapping) {
      const id = readImportId(importId);
      const check = await inTransaction(database, async (transaction) => {
        const known = await lockImport(transaction, id);
        if (known === null) throw unknownImport();
        if (!['received', 'checking', 'checked'].includes(known.state))
          throw new Problem('conflict', explainState(known.state));
        const format = known.format as FileFormat;
        assertMapping(mapping, format);
        const checkId = randomUUID();
        await updateImport({ kysely: transaction }, id, {
          state: 'checking',
          check_id: checkId,
          mapping: JSON.stringify(mapping),
          read_bytes: 0,
          report: null,
        });
        await noteProgress(transaction, { id, checkId, readBytes: 0 });
        return { id, checkId, mapping, format };
      });
      const done = run(check).finally(() => running.delete(done));
      running.add(done);
      return await getImport(database, id);
    },
    async close() {
      isClosed = true;
      await Promise.all(running);
    },
  };
}

function explainState(state: string): string {
  if (state === 'receiving') return 'The file is not whole yet.';
  if (state === 'importing') return 'This list is being imported.';
  if (state === 'imported') return 'This list was imported already.';
  return 'This file cannot be read: see its problem.';
}

function assertMapping({ columns, order }: ImportMapping, format: FileFormat): void {
  const used = Object.values(columns);
  if (used.some((column) => column >= format.columns.length))
    throw new Problem('invalid_field', `The file has ${format.columns.length} columns.`);
  if (new Set(used).size < used.length)
    throw new Problem('invalid_field', 'A column of the file can be used for one field only.');
  if (order === 'joined_at' && columns.joined_at === undefined)
    throw new Problem('invalid_field', 'Say which column has the time of joining, to order by it.');
}
