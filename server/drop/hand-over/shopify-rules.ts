/** Files in the shapes that Shopify and Matrixify read: decision 0115 says where these are from. */
/** The header of Shopify's template of customers, letter by letter. */
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

/** Columns of Matrixify's sheet "Discounts". */
export const CODE_COLUMNS = ['Title', 'Command', 'Code', 'Limit Total Times'] as const;

type Customer = { readonly size: string; readonly email: string };
type Code = { readonly code: string; readonly size: string | null };
type Named = { readonly brand: string; readonly drop: number };

/**
 * A customer with a pass. Joining the line is no consent to the shop's marketing, so both are "no".
 */
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

/** A code of the discount of its size, which can be used once. */
export function codeCells({ code, size }: Code, { brand, drop }: Named): (string | number)[] {
  return [`${brand} drop ${drop}: ${size ?? 'any size'}`, 'MERGE', code, 1];
}
