import { expect, test } from 'vitest';
import type { Allocation } from '../../../contract/operator/masks.ts';
import { pickAllocations } from './stock-rules.ts';

const allocation = (change: Partial<Allocation>): Allocation => ({
  id: 'a',
  size: 'Small',
  quantity: 1,
  note: 'Press kit',
  allocated_at: '2030-01-01T00:00:00Z',
  released_at: null,
  release_note: null,
  ...change,
});
const all = [
  allocation({ id: 'old', quantity: 3 }),
  allocation({ id: 'new', allocated_at: '2030-02-01T00:00:00Z', note: 'Shoot' }),
  allocation({ id: 'back', quantity: 2, size: 'Large', released_at: '2030-01-02T00:00:00Z' }),
];
const everything = { text: '', state: '', sort: { by: 'allocated_at', isDescending: true } };
const idsOf = (filter: Partial<Parameters<typeof pickAllocations>[1]>) =>
  pickAllocations(all, { ...everything, ...filter }).map(({ id }) => id);

test('allocations are found by note and size, in any case', () => {
  expect(idsOf({ text: 'PRESS' })).toEqual(['old', 'back']);
  expect(idsOf({ text: 'large' })).toEqual(['back']);
});

test('held and released ones are distinguished', () => {
  expect(idsOf({ state: 'held' })).toEqual(['new', 'old']);
  expect(idsOf({ state: 'released' })).toEqual(['back']);
});

test('each column sorts in both directions', () => {
  expect(idsOf({ sort: { by: 'quantity', isDescending: false } })).toEqual(['new', 'back', 'old']);
  expect(idsOf({ sort: { by: 'size', isDescending: false } })[0]).toBe('back');
  expect(idsOf({})).toEqual(['new', 'old', 'back']);
});
