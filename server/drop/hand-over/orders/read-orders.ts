/** The orders of an uploaded file, one at a time. */

import { decodeLines } from '../../../csv/encoding.ts';
import { readRecords } from '../../../csv/records.ts';
import type { Database } from '../../../db/database.ts';
import { letOthersIn } from '../../../db/scheduled-work.ts';
import type { FileFormat } from '../../../members/imports/describe-file.ts';
import { readChunks, readImport } from '../../../members/imports/import-store.ts';
import { getImport } from '../../../members/imports/receive-import.ts';
import { Problem } from '../../../problem.ts';
import {
  findOrderColumns,
  mergeRows,
  readOrderRow,
  type ShopOrder,
  type UnreadableRow,
} from './order-rules.ts';

/** Rows between two pauses, in which joins have their turns. */
const ROWS_AT_ONCE = 1_000;

/**
 * Rows of one order that follow each other are one order. Throws Problem: unknown_path for a file
 * that is not there, conflict for one that is not whole, invalid_field for one without orders.
 */
export async function* readOrders(
  database: Database,
  importId: string,
): AsyncGenerator<ShopOrder | UnreadableRow> {
  const { id, state, problem } = await getImport(database, importId);
  if (state === 'receiving') throw new Problem('conflict', 'The file is not whole yet.');
  if (problem !== null) throw new Problem('invalid_field', problem);
  const format = (await readImport(database, id))?.format as FileFormat;
  const records = readRecords(
    decodeLines(readChunks(database, id), format.encoding),
    format.separator,
  );
  const { value: header } = await records.next();
  const columns = findOrderColumns(header?.cells ?? []);
  if (columns === null)
    throw new Problem(
      'invalid_field',
      'These are no orders: the columns must be those of Shopify, among them Name, Email, ' +
        'Financial Status and Discount Code, or code, order, email and state.',
    );
  let last: ShopOrder | null = null;
  let rows = 0;
  for await (const record of records) {
    rows += 1;
    if (rows % ROWS_AT_ONCE === 0) await letOthersIn();
    const row = readOrderRow(record, columns);
    if (last !== null && !('fault' in row) && row.order === last.order) {
      last = mergeRows(last, row);
      continue;
    }
    if (last !== null) yield last;
    last = null;
    if ('fault' in row) yield row;
    else last = row;
  }
  if (last !== null) yield last;
}
