import {
  type ImportField,
  ImportMapping,
  MAX_IMPORT_ROWS,
} from '../../../contract/operator/imports/list-import.ts';
import { countOf } from '../../changes/count-words.ts';
import { detectCsv } from '../../csv/read-csv.ts';
import { invalidField } from '../../problem.ts';

export type FileFormat = Awaited<ReturnType<typeof describeFile>>;

const SAMPLES = 3;
const SAMPLE_LENGTH = 80;

const FIELDS = Object.keys(ImportMapping.properties.columns.properties) as ImportField[];

/**
 * Fields that have more names than their own, without case, spaces and punctuation. The first
 * column that fits gets the field.
 */
const NAMES: Partial<Readonly<Record<ImportField, readonly string[]>>> = {
  email: ['email', 'emailaddress', 'mail', 'address'],
  referral_code: ['referralcode', 'referraltoken', 'socialid', 'kid', 'code'],
  referrer: [
    'referredby',
    'referredbysignuptoken',
    'referredbycode',
    'referredbyemail',
    'referrer',
    'invitedby',
    'parentid',
  ],
  row_id: ['id', 'uuid', 'rowid', 'memberid'],
  joined_at: ['joinedat', 'createdat', 'appliedat', 'signedupat', 'joined', 'created', 'when'],
  referral_count: ['referralcount', 'amountreferred', 'referrals'],
  utm_source: ['utmsource', 'source'],
};

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
  const hasHeader = !first.cells.some((cell) => cell.includes('@'));
  const rows = (hasHeader ? others : records).map(({ cells }) => cells);
  if (rows.length === 0) throw invalidField('The file has a header and no rows.');
  assertRowCount(hasHeader ? recordCount - 1 : recordCount);
  const names = first.cells.map((cell, index) => (hasHeader ? clip(cell) : `Column ${index + 1}`));
  const plain = names.map(plainName);
  const suggested = suggestFields(plain, rows[0] ?? []);
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

function suggestFields(
  names: readonly string[],
  row: readonly string[],
): ReadonlyMap<number, ImportField> {
  const fieldOf = new Map<number, ImportField>();
  for (const field of FIELDS) {
    const column = (NAMES[field] ?? [plainName(field)])
      .map((name) => names.findIndex((each, index) => each === name && !fieldOf.has(index)))
      .find((index) => index >= 0);
    if (column !== undefined) fieldOf.set(column, field);
  }
  const addresses = row.findIndex((cell) => cell.includes('@'));
  if (![...fieldOf.values()].includes('email') && addresses >= 0) fieldOf.set(addresses, 'email');
  return fieldOf;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function clip(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SAMPLE_LENGTH)
    .toWellFormed();
}
