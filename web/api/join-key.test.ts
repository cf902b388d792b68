import { expect, test } from 'vitest';
import { createJoinKeys } from './join-key.ts';

test('a retry has the key of the attempt, another address or referral has a new one', () => {
  const keyFor = createJoinKeys();
  const first = keyFor({ email: 'a@example.com', referredBy: null });
  expect(keyFor({ email: 'a@example.com', referredBy: null })).toBe(first);
  const withReferral = keyFor({ email: 'a@example.com', referredBy: 'CODE' });
  const other = keyFor({ email: 'b@example.com', referredBy: 'CODE' });
  expect(new Set([first, withReferral, other]).size).toBe(3);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
});
