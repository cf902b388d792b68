import { expect, test } from 'vitest';
import { describeDifference } from './size-rules.ts';

test('a size that is added once another one has its new name is reported, too', () => {
  const brand = {
    sizes: [
      { name: 'S', stock: 30 },
      { name: 'XL', stock: 3 },
    ],
    maskCount: 33,
  };
  const none = { allocated: 0, offered: 0, accepted: 0, held: 0 };
  const line = [{ ...none, name: 'Small', stock: 30, available: 30 }];
  expect(describeDifference(brand, line)).toBe(
    'The line differs from brand/brand.ts: it has the size Small and not S ' +
      '(./waitlist rename-size Small S); it gets the size XL at the next start.',
  );
});
