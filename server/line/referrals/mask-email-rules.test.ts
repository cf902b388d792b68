import { expect, test } from 'vitest';
import { maskEmail } from './mask-email-rules.ts';

test.each([
  ['alice@example.com', 'al•••@example.com'],
  ['alexandra.long.name@example.com', 'al•••@example.com'],
  ['bo@example.com', 'b•••@example.com'],
  ['x@example.com', 'x•••@example.com'],
  ['𝒜𝒷𝒸@example.com', '𝒜𝒷•••@example.com'],
  ['ａｌｉｃｅ＠example.com', 'ａｌ•••＠example.com'],
])('%s is shown as %s', (email, shown) => {
  expect(maskEmail(email)).toBe(shown);
});
