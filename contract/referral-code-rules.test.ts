import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepFinds } from '../test/support/keep-finds.ts';
import {
  findLinkedCode,
  findReferralCode,
  readReferralCode,
  referralCode,
} from './referral-code-rules.ts';

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

const CODE = '7K3M9QX2TV';
const ORIGIN = 'https://line.example.com';

test.each([
  '/INVITE/CODE',
  '//invite/CODE',
  '/invite//CODE',
  '/invite/CODE/invite/CODE',
  '/invite/CODECODE',
  `/invite/${ORIGIN}/invite/CODE`,
  `${ORIGIN}/invite/CODE${ORIGIN}/invite/CODE`,
  `${ORIGIN}/invite/CODEwww.line.example.com`,
  `/?ref=${ORIGIN}/invite/CODE`,
  `/?ref=${encodeURIComponent(`${ORIGIN}/?ref=CODE&via=a`)}`,
  `https://l.example/?u=${encodeURIComponent(encodeURIComponent(`${ORIGIN}/invite/CODE`))}&h=AT0a`,
  '/?utm_source=a&amp;ref=CODE',
  '/?REF=CODE',
  '/&ref=CODE',
  '/?ref=CODE&ref=CODE',
  `Everything starts here: ${ORIGIN}/invite/CODE`,
  `Use my link. Start higher: ${ORIGIN}/invite/CODE`,
  `<${ORIGIN}/invite/CODE>`,
  `[${ORIGIN}/invite/CODE](${ORIGIN}/invite/CODE)`,
  `/invite/${'x'.repeat(5_000)}/invite/CODE`,
  '/CODE',
  '/CODE.',
  '/r/CODE?via=a',
  '/invites/CODE',
  '/invite/x/CODE',
  '/invite/CODECODECODE',
  '/?code=CODE',
  '/invite?code=CODE',
  '/?utm_source=a&referral=CODE',
  '/?ref=3DCODE',
  '/invite/=3DCODE',
  '/?ref=&quot;CODE&quot;',
  '/invite/CODEJoin me',
  '/invite/CODESent%20from%20my%20phone',
])('the link %s leads to the invite', (link) => {
  expect(findLinkedCode(link.replaceAll('CODE', CODE))).toBe(CODE);
});

test.each([
  '/phpmyadmin/index.php',
  '/JavaScript',
  '/assets/index-7k3m9qx2tv.js',
  '/0123456789',
  '/?utm_campaign=spring2026&utm_id=1234567890',
  '/invite/absolutely everything',
])('the path %s holds no code', (path) => {
  expect(findLinkedCode(path)).toBeNull();
});

test('a code that begins as an escaped sign does is kept whole', () => {
  expect(findLinkedCode('/?ref=3D7K3M9QX2')).toBe('3D7K3M9QX2');
});

test.each([
  'CODE',
  'Everything works with CODE, my friend!',
  'call 0151234567 or use CODE',
  'code:CODE',
  '我的邀请码CODE快来',
  '*CODE*',
  '７Ｋ３Ｍ９ＱＸ２ＴＶ',
  '7K3M9\u00adQX2TV',
  '\u2066CODE\u2069',
])('the text %j holds the code', (text) => {
  expect(findReferralCode(text.replace('CODE', CODE))).toBe(CODE);
  expect(findLinkedCode(text.replace('CODE', CODE))).toBeNull();
});

test.each([
  '',
  'ABCDE GHJK',
  `${CODE}X`,
  `X${CODE}`,
  '/invite/',
  '/invite/short',
  '/?ref=%',
  'ÀBCDEFGHJK',
])('%j holds no code', (text) => {
  expect(findReferralCode(text)).toBeNull();
});

/** Anything around a code that does not touch it, and is no other code. */
const around = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(...['%20', '%2F', '%252F', '&amp;', '\u200b', '\u202e', '\n', ' ', '”', '»']),
      fc.constantFrom(
        ...['https://', 'www.', 'a', 'join me', '漢字', '?', '&', '#', '=', ')', ']', '>'],
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))
  .filter(
    (text) => !/[0-9a-z]{10}/i.test(text.normalize('NFKC').replaceAll(/[\p{C}\p{DI}]/gu, '')),
  );
const code = bytes.map(referralCode);
const edge = fc.constantFrom(
  ...' \n.,;:!?)>"”’*_~|/&#=\u200b\u202c\u00a0'.split(''),
  '%20',
  '%2520',
  '%3F',
  '%E2%80%9D',
  '😀',
);

test('a code is found in a link with anything around it', () => {
  const link = fc.constantFrom(
    '/invite/',
    '/INVITE/',
    '//invite//',
    '/?ref=',
    '?ref%3D',
    '&ref=',
    '/invite%2F',
  );
  fc.assert(
    fc.property(
      around,
      link,
      code,
      fc.boolean(),
      edge,
      around,
      (before, path, own, isLower, end, after) => {
        const written = isLower ? own.toLowerCase() : own;
        const text = `${before} ${ORIGIN}${path}${written}${end}${after}`;
        expect(findReferralCode(text)).toBe(own);
        expect(findLinkedCode(text)).toBe(own);
      },
    ),
    keepFinds({ numRuns: 2_000 }),
  );
});

test('a code is found in a text that has no other word of ten letters', () => {
  fc.assert(
    fc.property(around, edge, code, edge, around, (before, begin, own, end, after) => {
      const text = `${before}${begin}${own}${end}${after}`;
      expect(findReferralCode(text)).toBe(own);
    }),
    keepFinds({ numRuns: 2_000 }),
  );
});

test('whatever is found is a code', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const found = findReferralCode(text);
      if (found !== null) expect(readReferralCode(found)).toBe(found);
    }),
    keepFinds({ numRuns: 2_000 }),
  );
});
