import { expect, test } from 'vitest';
import type { ShopOrder } from './order-rules.ts';
import { type KnownPass, openReconciliation } from './reconcile-rules.ts';

const pass = (code: string, more: Partial<KnownPass> = {}): KnownPass => ({
  code,
  drop: 1,
  state: 'accepted',
  size: 'Small',
  order: null,
  email: `${code}@example.com`,
  ...more,
});
const order = (name: string, code: string | null, more: Partial<ShopOrder> = {}): ShopOrder => ({
  line: 2,
  order: name,
  email: `${code}@example.com`,
  codes: code === null ? [] : [code],
  isCancelled: false,
  isUnpaid: false,
  items: [],
  ...more,
});
const mask = (name = 'Mask - Small', quantity = 1) => ({ name, sku: '', quantity });

function reconcile(
  passes: readonly KnownPass[],
  orders: readonly ShopOrder[],
  item: string | null = null,
) {
  const { take, end, toRedeem, toFree } = openReconciliation(passes, {
    drop: 1,
    sizes: ['Small', 'Large'],
    item,
    isSameMailbox: (first, second) => first === second,
  });
  const findings = [...orders.flatMap(take), ...end()];
  return {
    kinds: findings.map(({ kind }) => kind),
    toRedeem,
    toFree,
    looks: findings.filter(({ needs_look: odd }) => odd).map(({ why }) => why),
  };
}

test('the first order with an accepted pass redeems it, and its repetition changes nothing', () => {
  const found = reconcile([pass('A')], [order('#1', 'A'), order('#9', null), order('#1', 'A')]);
  expect(found).toEqual({
    kinds: ['to_redeem', 'other_goods', 'repeated'],
    toRedeem: [{ code: 'A', order: '#1' }],
    toFree: [],
    looks: [],
  });
});

test('an unpaid order pays no pass, and keeps its code from another order', () => {
  const found = reconcile([pass('A')], [order('#1', 'A', { isUnpaid: true }), order('#2', 'A')]);
  expect(found.kinds).toEqual(['not_paid', 'code_used_twice']);
  expect(found.looks).toHaveLength(2);
  expect([...found.toRedeem, ...found.toFree]).toEqual([]);
});

test('a pass that was used at the door is nothing to look at, unless an order has it too', () => {
  const used = pass('A', { state: 'handed_over' });
  expect(reconcile([used], []).kinds).toEqual([]);
  const found = reconcile([used], [order('#1', 'A'), order('#2', 'A', { isCancelled: true })]);
  expect(found.kinds).toEqual(['code_used_twice', 'cancelled']);
  expect(found.looks).toEqual(['Its mask was handed over at the door.']);
  expect([...found.toRedeem, ...found.toFree]).toEqual([]);
});

test('a pass that was paid matches its own order only', () => {
  const paid = pass('A', { state: 'paid', order: '#1' });
  const found = reconcile([paid], [order('#2', 'A'), order('#1', 'A')]);
  expect(found.kinds).toEqual(['code_used_twice', 'matched']);
  expect(found.looks).toEqual(['Order #1 has the pass.']);
  expect(found.toRedeem).toEqual([]);
});

test('two orders with one accepted pass: the second needs a look', () => {
  const found = reconcile([pass('A')], [order('#1', 'A'), order('#2', 'A')]);
  expect(found.kinds).toEqual(['to_redeem', 'code_used_twice']);
  expect(found.toRedeem).toEqual([{ code: 'A', order: '#1' }]);
});

test.each<[string, Partial<KnownPass>]>([
  ['accepted', {}],
  ['paid by it', { state: 'paid', order: '#1' }],
])('a cancelled order frees a pass that is %s', (_name, more) => {
  const found = reconcile([pass('A', more)], [order('#1', 'A', { isCancelled: true })]);
  expect(found.kinds).toEqual(['order_cancelled']);
  expect(found.toFree).toEqual([{ code: 'A', order: '#1' }]);
});

test.each(['handed_over', 'sent'] as const)('no refund frees a mask that is %s', (state) => {
  const gone = pass('A', { state, order: '#1' });
  const found = reconcile([gone], [order('#1', 'A', { isCancelled: true })]);
  expect(found).toMatchObject({ kinds: ['order_cancelled'], toFree: [] });
  expect(found.looks).toEqual(['Its mask has left you: the pass is not freed.']);
});

test('a pass whose member ordered anew is not freed, in whatever order the file is', () => {
  const cancelled = order('#1', 'A', { isCancelled: true });
  const again = order('#2', 'A');
  for (const orders of [
    [cancelled, again],
    [again, cancelled],
  ]) {
    const found = reconcile([pass('A')], orders);
    expect(found.toRedeem).toEqual([{ code: 'A', order: '#2' }]);
    expect(found.toFree).toEqual([]);
    expect(found.looks).toEqual([]);
    const held = pass('A', { state: 'paid', order: '#1' });
    expect(reconcile([held], orders)).toMatchObject({ toRedeem: [], toFree: [] });
  }
});

test('cancelled passes: an order that stands needs a look, a cancelled one does not', () => {
  const dead = pass('A', { state: 'cancelled' });
  const found = reconcile([dead], [order('#1', 'A'), order('#2', 'A', { isCancelled: true })]);
  expect(found.kinds).toEqual(['pass_cancelled', 'cancelled']);
  expect(found.looks).toEqual(['']);
});

test('orders without a pass are classified by their code and items', () => {
  const orders = [
    order('#1', 'WELCOME10'),
    order('#2', null, { items: [mask()] }),
    order('#3', null, { items: [mask('Shirt')] }),
    order('#4', 'X', { isCancelled: true }),
  ];
  expect(reconcile([], orders).kinds).toEqual([
    'unknown_code',
    'without_pass',
    'other_goods',
    'cancelled_other',
  ]);
  const shirt = order('#5', null, { items: [mask('Shirt - Small')] });
  expect(reconcile([], [shirt], 'mask').kinds).toEqual(['other_goods']);
});

test('oddities of an order: the address, the size, the number of masks', () => {
  const odd = order('#1', 'A', {
    email: 'eve@example.com',
    items: [mask('Mask - Large', 2)],
  });
  const found = reconcile([pass('A')], [odd]);
  expect(found.kinds).toEqual(['to_redeem']);
  expect(found.looks).toEqual([
    'The address is not that of the member. The pass is for size Small, the order for Large. ' +
      'The order is of 2 masks.',
  ]);
  const left = reconcile([pass('A', { email: null })], [order('#1', 'A')]);
  expect(left.looks).toEqual(['The member has left the line.']);
});

test('one cell may have several codes, of whatever case, and a code may have a comma', () => {
  const passes = [pass('AB'), pass('C,D'), pass('e'), pass('E')];
  const two = { ...order('#1', 'ab, WELCOME10, E'), email: 'AB@example.com' };
  const found = reconcile(passes, [two, order('#2', 'C,D')]);
  expect(found.toRedeem).toEqual([
    { code: 'AB', order: '#1' },
    { code: 'C,D', order: '#2' },
  ]);
  expect(found.kinds.slice(0, 3)).toEqual(['to_redeem', 'order_used_twice', 'to_redeem']);
});

test('an order that has redeemed a pass pays no other one', () => {
  const paid = pass('A', { state: 'paid', order: '#1' });
  const found = reconcile([paid, pass('B')], [order('#1', 'B'), order('#1', 'A')]);
  expect(found.kinds).toEqual(['order_used_twice', 'matched', 'unused']);
  expect(found.looks).toEqual(['It pays the pass A.']);
  expect(found.toRedeem).toEqual([]);
});

test('passes of the drop that no order has are missed', () => {
  const passes = [
    pass('A'),
    pass('B', { state: 'paid', order: '#7' }),
    pass('C', { state: 'cancelled' }),
    pass('D', { drop: 2, state: 'paid', order: '#8' }),
  ];
  expect(reconcile(passes, []).kinds).toEqual(['unused', 'no_order']);
});
