/** Files that Shopify and Matrixify read. Decision 0115 has the sources. */

export const CUSTOMER_COLUMNS = [
  'First Name',
  'Last Name',
  'Email',
  'Accepts Email Marketing',
  'Default Address Company',
  'Default Address Address1',
  'Default Address Address2',
  'Default Address City',
  'Default Address Province Code',
  'Default Address Country Code',
  'Default Address Zip',
  'Default Address Phone',
  'Phone',
  'Accepts SMS Marketing',
  'Tags',
  'Note',
  'Tax Exempt',
] as const;

export const CODE_COLUMNS = ['Title', 'Command', 'Code', 'Limit Total Times'] as const;

type Customer = { readonly size: string; readonly email: string };
type Code = { readonly code: string; readonly size: string | null };
type Named = { readonly brand: string; readonly drop: number };

/** Joining the line is no consent to the shop's marketing, so both columns about it are "no". */
export function customerCells({ size, email }: Customer, { brand, drop }: Named): string[] {
  const values: Partial<Record<(typeof CUSTOMER_COLUMNS)[number], string>> = {
    Email: email,
    'Accepts Email Marketing': 'no',
    'Accepts SMS Marketing': 'no',
    Tags: [`${brand} drop ${drop}`, size].map(asTag).join(', '),
    Note: `Has a pass for a mask of size ${size}.`,
    'Tax Exempt': 'no',
  };
  return CUSTOMER_COLUMNS.map((column) => values[column] ?? '');
}

/** A comma would begin another tag. */
function asTag(text: string): string {
  return text.replaceAll(/\s*,\s*/g, ' ');
}

export function codeCells({ code, size }: Code, { brand, drop }: Named): (string | number)[] {
  return [`${brand} drop ${drop}: ${size ?? 'any size'}`, 'MERGE', code, 1];
}
