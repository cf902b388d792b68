import { expect, test } from 'vitest';
import { brand } from '../../brand/brand.ts';
import { fitText } from './fit-text.ts';

test('a longer name is set smaller, and ours as large as it may be', () => {
  expect(fitText([brand.name], { width: 1152, max: 124 })).toBe(124);
  expect(fitText(['Midnight Athletics Society'], { width: 1152, max: 124 })).toBe(55);
  expect(fitText(['', ''], { width: 100, max: 20 })).toBe(20);
});
