import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReferralCode, referralCode } from './referral-code-rules.ts';

const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });

test('a code is ten characters without I, L, O and U', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      expect(referralCode(random)).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    }),
  );
});

test('a code is as random as its bytes: every character is equally likely', () => {
  const codes = Array.from({ length: 256 }, (_, byte) =>
    referralCode(new Uint8Array(10).fill(byte)),
  );
  const times = Map.groupBy(codes, (code) => code);
  expect([...times.values()].map((group) => group.length)).toEqual(new Array(32).fill(8));
});

test('a code is read in any letter case and with white space around', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const code = referralCode(random);
      expect(readReferralCode(` ${code.toLowerCase()}\n`)).toBe(code);
      expect(readReferralCode(code)).toBe(code);
    }),
  );
});

test('letters that look like digits are read as digits', () => {
  expect(readReferralCode('oO0iIlL1zz')).toBe('00011111ZZ');
});

test.each(['', 'ABC', 'ABCDEFGHJKM', 'ABCDEFGHJU', 'ABCDE GHJK', 'ABCDEFGHJ\0', 'ÀBCDEFGHJK'])(
  '%j is no code',
  (text) => {
    expect(readReferralCode(text)).toBeNull();
  },
);

test('fewer bytes than characters make no code', () => {
  expect(() => referralCode(new Uint8Array(9))).toThrow(RangeError);
});
