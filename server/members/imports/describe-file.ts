/** What a file is: its columns, and which fields their names and contents suggest. */
import { createHash } from 'node:crypto';
import { IMPORT_FIELDS, IMPORT_NAMES, type ImportField } from '../../../contract/member-fields.ts';
import {
  type ListImport,
  MAX_IMPORT_ROWS,
} from '../../../contract/operator/imports/list-import.ts';
import { countOf } from '../../changes/count-words.ts';
import { type CsvFormat, readCsv, readInFormat } from '../../csv/read-csv.ts';
import { invalidField } from '../../problem.ts';
import { plainWord, readMailState } from './row-rules.ts';

export type FileDescription = NonNullable<ListImport['file']>;

const SAMPLES = 3;
const SAMPLE_LENGTH = 80;

type Column = ReturnType<typeof openColumn>;

/** Reads the whole file: its last row may be the first with an address, or one that is no CSV. */
export function describeFile(open: () => AsyncIterable<Uint8Array>): Promise<FileDescription> {
  return readInFormat(open, async (format) => {
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const bytes of open()) {
        hash.update(bytes);
        yield bytes;
      }
    }
    const described = await describeRows(hashed(), format);
    return { ...described, sha256: hash.digest('hex') };
  });
}

async function describeRows(bytes: AsyncIterable<Uint8Array>, format: CsvFormat) {
  let [rows, hasHeader, columns]: [number, boolean, Column[]] = [0, false, []];
  for await (const { cells } of readCsv(bytes, format)) {
    if (columns.length === 0) {
      hasHeader = !cells.some(isAddress);
      columns = cells.map((cell, at) => openColumn(hasHeader ? clip(cell) : `Column ${at + 1}`));
      if (hasHeader) continue;
    }
    for (const [at, column] of columns.entries()) column.see(cells[at] ?? '');
    rows += 1;
    if (rows > MAX_IMPORT_ROWS)
      throw invalidField(
        `The file has more than ${countOf(MAX_IMPORT_ROWS, 'row')}, the most that a list has. ` +
          'Divide it, and import one part after the other.',
      );
  }
  if (columns.length === 0) throw invalidField('There is nothing in this file.');
  if (rows === 0) throw invalidField('The file has a header and no rows.');
  const fieldOf = suggestFields(columns);
  return {
    ...format,
    has_header: hasHeader,
    columns: columns.map((column) => {
      const { name, samples } = column;
      return { name, samples, suggested: fieldOf.get(column) ?? null };
    }),
  };
}

function openColumn(name: string) {
  let last = '';
  const column = {
    name,
    plainName: plainWord(name),
    samples: [] as string[],
    /** Rows with an address that is another one than that of the row before. */
    addresses: 0,
    hasMailStates: true,
    see(cell: string): void {
      if (cell === '') return;
      if (column.samples.length < SAMPLES) column.samples.push(...[clip(cell)].filter(Boolean));
      if (cell !== last && isAddress(cell)) column.addresses += 1;
      column.hasMailStates &&= readMailState(cell) !== undefined;
      last = cell;
    },
  };
  return column;
}

function suggestFields(columns: readonly Column[]): ReadonlyMap<Column, ImportField> {
  const fieldOf = new Map<Column, ImportField>();
  const most = Math.max(...columns.map(({ addresses }) => addresses));
  const fits = (column: Column, field: ImportField) => {
    if (field === 'email') return column.addresses >= most / 2;
    if (field === 'mail_state' && !column.hasMailStates) return false;
    // A site is no friend.
    if (field === 'referrer' && column.samples.some((cell) => cell.includes('://'))) return false;
    const isTime = field === 'joined_at' || field === 'confirmed_at';
    return !fieldOf.has(column) && (!isTime || /\d|^$/.test(column.samples.join('')));
  };
  const namesOf = (field: ImportField) => IMPORT_FIELDS[field].names.split(' ');
  const named = (field: ImportField) =>
    namesOf(field)
      .map((name) => columns.find((column) => column.plainName === name && fits(column, field)))
      .find((column) => column !== undefined);
  const isOther = ({ plainName: name }: Column) =>
    IMPORT_NAMES.some((field) => field !== 'email' && namesOf(field).includes(name));
  const full = columns.filter(({ addresses }) => addresses === most && most > 0);
  for (const field of IMPORT_NAMES) {
    const others = field === 'email' ? [...full.filter((one) => !isOther(one)), ...full] : [];
    const column = named(field) ?? others[0];
    if (column !== undefined) fieldOf.set(column, field);
  }
  return fieldOf;
}

/** Unlike the name of somebody at another site, as in `@ada`. */
function isAddress(cell: string): boolean {
  return /[^\s@]@[^\s@]+\.[^\s@]/.test(cell);
}

function clip(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SAMPLE_LENGTH)
    .toWellFormed();
}
