import { Type } from 'typebox';

const DROP_FILES = {
  frozen: 'The frozen list in its order: position, points, held credits and wish of each entrant',
  chosen: 'The entrants whom the draw chose, in the order of the offers, with their sizes',
  offers: 'Every offer: state, size, times, code of the pass, and the order that paid it',
  money:
    'Every pass with its payment: paid, refunded, disputed, handed over, sent; of all drops, ' +
    'unless one is asked for',
  'packing-list': 'Paid masks to be sent, by size: order, pass, and the address if it is known',
  carrier: 'The same with an address, as Royal Mail Click & Drop imports orders',
  'shopify-customers': 'The members with a pass, for the import of customers in Shopify',
  'shopify-codes': 'Codes that can be used, one discount for each size, for Matrixify',
} as const;

export type DropFile = keyof typeof DROP_FILES;
export const DROP_FILE_NAMES = Object.keys(DROP_FILES) as readonly DropFile[];

/** The file of a path. */
export const DropFileName = Type.Enum(Object.keys(DROP_FILES) as DropFile[], {
  description: Object.entries(DROP_FILES)
    .map(([name, about]) => `${name}: ${about}.`)
    .join(' '),
});

export const DropFileRequest = Type.Object({
  drop: Type.Optional(
    Type.String({ pattern: '^[1-9]\\d{0,5}$', description: 'Its number; the last by default' }),
  ),
});
