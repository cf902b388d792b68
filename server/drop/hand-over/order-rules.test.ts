import { expect, test } from 'vitest';
import {
  findOrderColumns,
  mergeRows,
  readOrderRow,
  type ShopOrder,
  sizesOf,
} from './order-rules.ts';

const SHOPIFY = [
  'Name',
  'Email',
  'Financial Status',
  'Fulfillment Status',
  'Discount Code',
  'Lineitem quantity',
  'Lineitem name',
  'Lineitem sku',
  'Cancelled at',
];
const columns = findOrderColumns(SHOPIFY);
const read = (...cells: string[]) => readOrderRow({ line: 7, cells }, columns as never);

test('an order of Shopify, with the apostrophes of exports taken away', () => {
  expect(
    read("'=#1", "'=a@b.example", 'paid', '', 'A1', '2', 'Mask - Medium', 'MASK-M', ''),
  ).toEqual({
    line: 7,
    order: '=#1',
    email: '=a@b.example',
    codes: ['A1'],
    isCancelled: false,
    isUnpaid: false,
    items: [{ name: 'Mask - Medium', sku: 'MASK-M', quantity: 2 }],
  });
  expect(read("'tis", 'a@b.example', '', '', '', '', '', '', '')).toMatchObject({
    order: "'tis",
    codes: [],
    items: [],
  });
});

test.each(['refunded', 'voided', 'Cancelled'])('an order that is %s is cancelled', (state) => {
  expect(read('#1', '', state, '', '', '', '', '', '')).toMatchObject({ isCancelled: true });
});

test.each([
  ['', false],
  ['paid', false],
  ['partially_refunded', false],
  ['fulfilled', false],
  ['Pending', true],
  ['authorized', true],
  ['partially paid', true],
  ['unpaid', true],
  ['open', true],
])('an order whose state is %j is unpaid: %s', (state, isUnpaid) => {
  const first = read('#1', '', state, '', 'A1', '', '', '', '') as ShopOrder;
  const later = read('#1', '', '', '', '', '', 'Shirt', '', '') as ShopOrder;
  expect(mergeRows(first, later)).toMatchObject({ isUnpaid, isCancelled: false });
});

test('the time of a cancellation cancels a paid order, a part of the money back does not', () => {
  const at = '2026-05-01 10:00:00 +0200';
  expect(read('#1', '', 'paid', '', '', '', '', '', at)).toMatchObject({ isCancelled: true });
  expect(read('#1', '', 'partially_refunded', '', '', '', '', '', '')).toMatchObject({
    isCancelled: false,
  });
});

test.each([
  [['', 'a@b.example', 'paid', '', 'A1', '', '', '', ''], 'It names no order.'],
  [['#1', 'a@b.example'], 'It has 2 cells, and the first line has 9.'],
  [['#1', '', 'lost', '', '', '', '', '', ''], 'Its state "lost" is not known.'],
  [['#'.repeat(201), '', 'paid', '', '', '', '', '', ''], /too long/],
])('a row that cannot be read says why: %j', (cells, fault) => {
  expect(read(...cells)).toMatchObject({ line: 7, fault: expect.stringMatching(fault) });
});

test('the plain form, in any order and case; other files are of neither form', () => {
  const plain = findOrderColumns(['State', 'CODE', 'email', 'order', 'size']);
  expect(
    readOrderRow({ line: 2, cells: ['open', 'A1', 'a@b.example', '9', 'Small'] }, plain as never),
  ).toMatchObject({ order: '9', codes: ['A1'], items: [{ name: 'Small', quantity: 1 }] });
  expect(findOrderColumns(['code', 'order', 'email'])).toBeNull();
  expect(findOrderColumns(['email', 'referral_code'])).toBeNull();
});

test('the further rows of an order add their items, codes and cancellation', () => {
  const first = read('#1', 'a@b.example', 'paid', '', 'A1', '1', 'Mask - Small', '', '');
  const later = read('#1', 'a@b.example', '', '', '', '3', 'Shirt', '', '');
  expect(mergeRows(first as never, later as never)).toMatchObject({
    line: 7,
    codes: ['A1'],
    items: [{ name: 'Mask - Small' }, { name: 'Shirt', quantity: 3 }],
  });
});

test('sizes are words of an item', () => {
  const sizes = ['Small', 'Large', 'X.L'];
  const of = (name: string, sku = '') => sizesOf({ name, sku, quantity: 1 }, sizes);
  expect(of('Mask - Small')).toEqual(['Small']);
  expect(of('Mask', 'MASK_LARGE')).toEqual(['Large']);
  expect(of('Mask', 'MASK-LARGE')).toEqual(['Large']);
  expect(of('Enlarged smallest')).toEqual([]);
  expect(of('Mask (X.L)')).toEqual(['X.L']);
  expect(of('Mask XXL')).toEqual([]);
});
