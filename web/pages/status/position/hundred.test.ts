import { expect, test } from 'vitest';
import { countPlacesToGo } from './hundred.tsx';

test('places to go are counted to the last position in the top', () => {
  expect(countPlacesToGo(128)).toBe('28 places to go');
  expect(countPlacesToGo(101)).toBe('1 place to go');
  expect(countPlacesToGo(1_234_667)).toBe('1,234,567 places to go');
});
