import { IMPORT_FIELDS, IMPORT_NAMES, type ImportField } from '../../../contract/member-fields.ts';
import { MAX_IMPORT_ROWS } from '../../../contract/operator/imports/list-import.ts';
import { countOf } from '../../changes/count-words.ts';
import { detectCsv } from '../../csv/read-csv.ts';
import { invalidField } from '../../problem.ts';

export type FileFormat = Awaited<ReturnType<typeof describeFile>>;

const SAMPLES = 3;
const SAMPLE_LENGTH = 80;

/** Columns that only one tool has together (decision 0072). */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  GetWaitlist: ['email', 'referraltoken', 'referredbysignuptoken'],
  KickoffLabs: ['email', 'socialid', 'parentid'],
  Prefinery: ['email', 'status', 'appliedat'],
};

export async function describeFile(open: () => AsyncIterable<Uint8Array>) {
  const { encoding, separator, records, recordCount } = await detectCsv(open);
  const [first, ...others] = records;
  if (first === undefined) throw invalidField('There is nothing in this file.');
  const hasHeader = !first.cells.some(isAddress);
  const rows = (hasHeader ? others : records).map(({ cells }) => cells);
  if (rows.length === 0) throw invalidField('The file has a header and no rows.');
  assertRowCount(hasHeader ? recordCount - 1 : recordCount);
  const names = first.cells.map((cell, index) => (hasHeader ? clip(cell) : `Column ${index + 1}`));
  const plain = names.map(plainName);
  const suggested = suggestFields(plain, rows);
  const columns = names.map((name, index) => ({
    name,
    suggested: suggested.get(index) ?? null,
    samples: rows
      .map((cells) => clip(cells[index] ?? ''))
      .filter((cell) => cell !== '')
      .slice(0, SAMPLES),
  }));
  const tool = Object.entries(TOOLS).find(([, known]) => known.every((one) => plain.includes(one)));
  return { encoding, separator, hasHeader, tool: hasHeader ? (tool?.[0] ?? null) : null, columns };
}

function assertRowCount(rows: number): void {
  if (rows > MAX_IMPORT_ROWS)
    throw invalidField(
      `The file has ${countOf(rows, 'row')}: a list has ${countOf(MAX_IMPORT_ROWS, 'row')} at ` +
        'most. Divide it, and import one part after the other.',
    );
}

/** The first column that fits gets the field. */
function suggestFields(
  names: readonly string[],
  rows: readonly (readonly string[])[],
): ReadonlyMap<number, ImportField> {
  const fieldOf = new Map<number, ImportField>();
  const addresses = names.map(
    (_, index) => rows.filter((row) => isAddress(row[index] ?? '')).length,
  );
  const most = Math.max(...addresses);
  for (const field of IMPORT_NAMES) {
    const isFree = (index: number) =>
      !fieldOf.has(index) && (field !== 'email' || addresses[index] === most);
    const column = IMPORT_FIELDS[field].names
      .split(' ')
      .map((name) => names.findIndex((each, index) => each === name && isFree(index)))
      .find((index) => index >= 0);
    if (column !== undefined) fieldOf.set(column, field);
    else if (field === 'email' && most > 0) fieldOf.set(addresses.indexOf(most), field);
  }
  return fieldOf;
}

/** Unlike the name of somebody at another site, as in `@ada`. */
function isAddress(cell: string): boolean {
  return /[^\s@]@[^\s@]/.test(cell);
}

function plainName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function clip(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SAMPLE_LENGTH)
    .toWellFormed();
}
