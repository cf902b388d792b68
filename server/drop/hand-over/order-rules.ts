type OrderItem = { readonly name: string; readonly sku: string; readonly quantity: number };

export type ShopOrder = {
  readonly line: number;
  readonly order: string;
  readonly email: string;
  readonly codes: readonly string[];
  readonly isCancelled: boolean;
  readonly isUnpaid: boolean;
  readonly items: readonly OrderItem[];
};

export type UnreadableRow = {
  readonly line: number;
  readonly shown: string;
  readonly fault: string;
};

const SHOPIFY = {
  order: 'name',
  email: 'email',
  code: 'discount code',
  state: 'financial status',
  cancelledAt: 'cancelled at',
  item: 'lineitem name',
  sku: 'lineitem sku',
  quantity: 'lineitem quantity',
};
const PLAIN = { order: 'order', email: 'email', code: 'code', state: 'state', size: 'size' };
const NEEDED = ['order', 'email', 'code', 'state'] as const;

type Field = keyof typeof SHOPIFY | keyof typeof PLAIN;

type OrderColumns = {
  readonly fields: Partial<Readonly<Record<Field, number>>>;
  readonly width: number;
};

/** An empty state is taken for paid: its shop says nothing about payments. */
const PAID = new Set(['', 'paid', 'partially_refunded', 'fulfilled']);
const UNPAID = new Set(['pending', 'authorized', 'partially_paid', 'unpaid', 'open']);
const CANCELLED = new Set(['refunded', 'voided', 'cancelled', 'canceled', 'expired']);

const MAX_ORDER_LENGTH = 200;
/** Guard of csv-rules.ts, and of the shop's own exports. */
const GUARDED = /^'(?=[\s\0]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/u;

export function findOrderColumns(header: readonly string[]): OrderColumns | null {
  const names = header.map((name) => name.trim().toLowerCase());
  for (const form of [SHOPIFY, PLAIN]) {
    const found = Object.entries(form)
      .map(([field, name]) => [field, names.indexOf(name)] as const)
      .filter(([, index]) => index >= 0);
    const fields: OrderColumns['fields'] = Object.fromEntries(found);
    if (NEEDED.every((field) => fields[field] !== undefined))
      return { fields, width: header.length };
  }
  return null;
}

export function readOrderRow(
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
  { fields, width }: OrderColumns,
): ShopOrder | UnreadableRow {
  const cell = (field: Field) =>
    (fields[field] === undefined ? '' : (cells[fields[field]] ?? '')).replace(GUARDED, '').trim();
  const order = cell('order');
  const unreadable = (fault: string): UnreadableRow => ({ line, shown: order, fault });
  if (cells.length !== width)
    return unreadable(`It has ${cells.length} cells, and the first line has ${width}.`);
  if (order === '') return unreadable('It names no order.');
  if (order.length > MAX_ORDER_LENGTH || order.includes('\0'))
    return unreadable('The name of the order is too long, or has a NUL character.');
  const state = cell('state').toLowerCase().replaceAll(' ', '_');
  if (![PAID, UNPAID, CANCELLED].some((states) => states.has(state)))
    return unreadable(`Its state ${JSON.stringify(cell('state').slice(0, 40))} is not known.`);
  const quantity = Number(cell('quantity') || 1);
  const name = cell('item') || cell('size');
  return {
    line,
    order,
    email: cell('email'),
    codes: cell('code') === '' ? [] : [cell('code')],
    isCancelled: CANCELLED.has(state) || cell('cancelledAt') !== '',
    isUnpaid: UNPAID.has(state),
    items:
      name === '' && cell('sku') === ''
        ? []
        : [{ name, sku: cell('sku'), quantity: Number.isFinite(quantity) ? quantity : 1 }],
  };
}

/** Shopify writes each further item of an order as a row of its own. */
export function mergeRows(first: ShopOrder, later: ShopOrder): ShopOrder {
  return {
    ...first,
    email: first.email || later.email,
    codes: [...new Set([...first.codes, ...later.codes])],
    isCancelled: first.isCancelled || later.isCancelled,
    isUnpaid: first.isUnpaid || later.isUnpaid,
    items: [...first.items, ...later.items],
  };
}

/** The sizes that an item names as words, such as "Mask - Medium" or the SKU "MASK-MEDIUM". */
export function sizesOf({ name, sku }: OrderItem, sizes: readonly string[]): string[] {
  const text = ` ${name} ${sku} `.toLowerCase();
  return sizes.filter((size) => {
    const word = size.toLowerCase().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`[^\\p{L}\\p{N}]${word}[^\\p{L}\\p{N}]`, 'u').test(text);
  });
}
