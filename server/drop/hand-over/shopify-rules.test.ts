import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvLine } from '../../csv/csv-rules.ts';
import { CODE_COLUMNS, CUSTOMER_COLUMNS, codeCells, customerCells } from './shopify-rules.ts';

const CUSTOMER = { size: 'Extra, "wide"\nLarge', email: '"ada, lovelace"@example.com' };
const named = { brand: 'Grey, Owl', drop: 2 };
const readBack = (...lines: readonly (readonly (string | number)[])[]) =>
  parse(lines.map((cells) => csvLine(cells)).join(''), { columns: true }) as Record<
    string,
    string
  >[];

test('customers have the columns of the template, and any text survives', () => {
  expect(CUSTOMER_COLUMNS.join(',')).toBe(
    'First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,' +
      'Default Address Address1,Default Address Address2,Default Address City,' +
      'Default Address Province Code,Default Address Country Code,Default Address Zip,' +
      'Default Address Phone,Phone,Accepts SMS Marketing,Tags,Note,Tax Exempt',
  );
  const [customer] = readBack(CUSTOMER_COLUMNS, customerCells(CUSTOMER, named));
  expect(customer).toMatchObject({
    Email: CUSTOMER.email,
    'Accepts Email Marketing': 'no',
    'Accepts SMS Marketing': 'no',
    Tags: 'Grey Owl drop 2, Extra "wide"\nLarge',
    Note: `Has a pass for a mask of size ${CUSTOMER.size}.`,
    Phone: '',
  });
});

test('codes are used once, and those of a size have one title', () => {
  const codes = [
    { code: 'A,"1"', size: 'Small' },
    { code: 'A2', size: 'Small' },
    { code: 'A3', size: null },
  ];
  const rows = readBack(CODE_COLUMNS, ...codes.map((code) => codeCells(code, named)));
  expect(rows.map((row) => Object.values(row))).toEqual([
    ['Grey, Owl drop 2: Small', 'MERGE', 'A,"1"', '1'],
    ['Grey, Owl drop 2: Small', 'MERGE', 'A2', '1'],
    ['Grey, Owl drop 2: any size', 'MERGE', 'A3', '1'],
  ]);
});
