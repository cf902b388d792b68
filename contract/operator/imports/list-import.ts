import { type Static, type TOptional, Type } from 'typebox';
import {
  After,
  NextNumber,
  Nullable,
  NullableText,
  Text,
  TextOrNull,
  Whole,
} from '../../fields.ts';
import { IMPORT_NAMES, type ImportField } from '../../member-fields.ts';

const Count = (description: string) => Type.Integer({ description });

const MAX_IMPORT_BYTES = 64 * 1024 * 1024;
/** Each costs the check as much as a join. */
export const MAX_IMPORT_ROWS = 200_000;
const MAX_CHUNK_BYTES = 256 * 1024;
const MAX_CHUNK_LENGTH = Math.ceil(MAX_CHUNK_BYTES / 3) * 4;

export const NewImport = Type.Object({
  file_name: Text(255),
  bytes: Whole(1, MAX_IMPORT_BYTES),
});

export const ImportChunk = Type.Object({
  first_byte: Whole(0, MAX_IMPORT_BYTES),
  base64: Type.String({ minLength: 4, maxLength: MAX_CHUNK_LENGTH }),
});

const Column = Whole(0, 199);

const optionalColumns = Object.fromEntries(
  IMPORT_NAMES.map((name) => [name, Type.Optional(Column)]),
) as Record<ImportField, TOptional<typeof Column>>;

export const ImportMapping = Type.Object({
  columns: Type.Object(
    { ...optionalColumns, email: Column },
    {
      description:
        'Columns of the file, from 0. `referrer` has the address, code or row_id of a row. The ' +
        'fields after `referral_count` are as exports have them; a row with an empty ' +
        '`confirmed_at` is not confirmed, whatever is stated of the list',
    },
  ),
  order: Type.Enum(['file', 'joined_at'] as const),
  dates: Type.Optional(
    Type.Enum(['day_first', 'month_first'] as const, {
      description: 'How 1/2/2026 is read; without it such dates are faults',
    }),
  ),
});
export type ImportMapping = Static<typeof ImportMapping>;

const ImportFile = Type.Object({
  sha256: Type.String(),
  encoding: Type.String(),
  separator: Type.String(),
  has_header: Type.Boolean(),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      samples: Type.Array(Type.String()),
      suggested: TextOrNull('The field that its name and its cells suggest'),
    }),
  ),
});

const ImportReport = Type.Object({
  rows: Count('Without the header'),
  importable: Count('Rows that would become members'),
  left_out: Count('Rows that would not'),
  noted: Count('Importable rows with a note'),
  kinds: Type.Record(Type.String(), Type.Integer(), { description: 'Faults and notes by kind' }),
  invited: Count('Importable rows with a referrer'),
  credited_in_line: Count('Members already in line who would get credit'),
});

export const ListImport = Type.Object({
  id: Type.String(),
  created_at: Type.String({ description: 'ISO 8601 in UTC' }),
  file_name: Type.String(),
  bytes: Type.Integer(),
  received: Count('Bytes so far: the next chunk begins there'),
  state: Type.String({
    description:
      'receiving, refused (see problem), received (needs a mapping), checking, checked, ' +
      'importing, imported',
  }),
  problem: NullableText,
  file: Nullable(ImportFile),
  mapping: Nullable(ImportMapping),
  read_bytes: Count('Bytes of the file that its check has read'),
  report: Nullable(ImportReport),
});
export type ListImport = Static<typeof ListImport>;

export const ListImports = Type.Object({
  imports: Type.Array(ListImport, { description: 'Imports of the last day, newest first' }),
});

export const ReportPageRequest = Type.Object({
  after: After({ pattern: '^\\d{1,9}$' }),
});

export const ReportPage = Type.Object({
  lines: Type.Array(
    Type.Object({
      line: Type.Integer(),
      cell: Type.String({ description: 'The address as the file has it' }),
      fault: TextOrNull('Why the row is left out'),
      notes: Type.Array(
        Type.String({ description: 'What is not imported, or imported otherwise' }),
      ),
    }),
    { description: 'Rows with a fault or a note, in the order of the file' },
  ),
  next: NextNumber,
});
export type ReportPage = Static<typeof ReportPage>;
