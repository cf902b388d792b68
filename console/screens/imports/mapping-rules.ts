/** Which column is which field, as the form holds it and as the server is told. */
import type {
  ImportField,
  ImportMapping,
  ListImport,
} from '../../../contract/operator/imports/list-import.ts';

/** The number of a column as text; empty or absent: none. */
export type Fields = { readonly [Field in ImportField]?: string };

export const FIELDS: readonly { readonly field: ImportField; readonly label: string }[] = [
  { field: 'email', label: 'E-mail address' },
  { field: 'referral_code', label: 'Referral code' },
  { field: 'referrer', label: 'Referrer: address, code or row id' },
  { field: 'row_id', label: 'Row id' },
  { field: 'joined_at', label: 'Time of joining' },
  { field: 'referral_count', label: 'Number of friends' },
];

/** What was chosen before, otherwise what the names of the columns suggest. */
export function suggestedFields(
  columns: NonNullable<ListImport['file']>['columns'],
  mapping: ImportMapping | null,
): Fields {
  const known = mapping
    ? Object.entries(mapping.columns)
    : columns.flatMap(({ suggested }, index) => (suggested === null ? [] : [[suggested, index]]));
  return Object.fromEntries(known.map(([field, column]) => [field, String(column)]));
}

/** Null while the addresses have no column. */
export function mappingOf(
  fields: Fields,
  order: ImportMapping['order'],
  dates: string,
): ImportMapping | null {
  const columns = Object.fromEntries(
    Object.entries(fields)
      .filter(([, column]) => column !== '')
      .map(([field, column]) => [field, Number(column)]),
  );
  if (columns.email === undefined) return null;
  const isKnown = dates === 'day_first' || dates === 'month_first';
  return { columns: { ...columns, email: columns.email }, order, ...(isKnown && { dates }) };
}
