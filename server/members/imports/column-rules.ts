/** Which field a column is likely to be, by its name; and whose list it looks like. */
import type { ImportField } from '../../../contract/operator/imports/list-import.ts';

export type ColumnSuggestion = { readonly name: string; readonly suggested: ImportField | null };

/** Without case, spaces and punctuation. The first column that fits gets the field. */
const NAMES: Readonly<Record<ImportField, readonly string[]>> = {
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
};

/**
 * Columns that only one tool has together. They are those of its documented API or file format,
 * with the address in decision 0072: no tool documents the header row of its exports.
 */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  GetWaitlist: ['email', 'referraltoken', 'referredbysignuptoken'],
  KickoffLabs: ['email', 'socialid', 'parentid'],
  Prefinery: ['email', 'status', 'appliedat'],
};

/** Each field is suggested once; `email` also for a column of addresses with another name. */
export function suggestFields(
  names: readonly string[],
  rows: readonly (readonly string[])[],
): ColumnSuggestion[] {
  const plain = names.map(plainName);
  const columnOf = new Map<number, ImportField>();
  for (const [field, known] of Object.entries(NAMES) as [ImportField, readonly string[]][]) {
    const column = known
      .map((name) => plain.findIndex((each, index) => each === name && !columnOf.has(index)))
      .find((index) => index >= 0);
    if (column !== undefined) columnOf.set(column, field);
  }
  if (![...columnOf.values()].includes('email')) {
    const column = names.findIndex((_name, index) => rows[0]?.[index]?.includes('@'));
    if (column >= 0) columnOf.set(column, 'email');
  }
  return names.map((name, index) => ({ name, suggested: columnOf.get(index) ?? null }));
}

/** Null when the columns fit no tool that documents them. */
export function recogniseTool(names: readonly string[]): string | null {
  const plain = new Set(names.map(plainName));
  const found = Object.entries(TOOLS).find(([, columns]) => columns.every((c) => plain.has(c)));
  return found?.[0] ?? null;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
