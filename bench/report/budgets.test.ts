import { expect, test } from 'vitest';
import { besideBudget } from './budgets.ts';

test('a figure that misses its budget is marked, at the limit it is not', () => {
  expect(besideBudget(2224, '2,224', '≤ 1300')).toBe('**2,224** (≤ 1300, missed)');
  expect(besideBudget(97, '97', '≥ 98')).toBe('**97** (≥ 98, missed)');
  expect(besideBudget(98, '98', '≥ 98')).toBe('98 (≥ 98)');
  expect(besideBudget(0.005, '0.005', '≤ 0.005')).toBe('0.005 (≤ 0.005)');
  expect(besideBudget(77, '77')).toBe('77');
});
