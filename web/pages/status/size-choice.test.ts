import { expect, test } from 'vitest';
import { describeWish, pressSize } from './size-choice.tsx';

test('sizes are taken in the order in which they are pressed', () => {
  const pressed = ['Large', 'Small', 'Medium', 'Large'].reduce(pressSize, {
    sizes: [],
    takesAny: true,
  });
  expect(pressed).toEqual({ sizes: ['Small', 'Medium'], takesAny: true });
});

test.each([
  [[], true, 'Any size.'],
  [[], false, 'Choose at least one size.'],
  [['Small'], false, 'Small only.'],
  [['Small'], true, 'Small first, then any other.'],
  [['Large', 'Small'], false, 'Large first, then Small.'],
  [['Large', 'Small'], true, 'Large first, then Small, then any other.'],
])('%j, and any other: %s', (sizes, takesAny, sentence) => {
  expect(describeWish({ sizes, takesAny })).toBe(sentence);
});
