import fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellings } from '../../../test/line/spellings.ts';
import { readEmail } from '../../line/email-rules.ts';
import { emailKeyOf } from './limit-keys.ts';

test('all spellings of one address have one key', () => {
  expect(new Set(spellings('one').map(emailKeyOf)).size).toBe(1);
});

test('the key of an address is its identity', () => {
  const label = fc.stringMatching(/^(xn--)?[a-zA-Z0-9]{1,8}$/);
  const local = fc.stringMatching(/^[!#-'*+\-/-9=?A-Z^-~]{1,12}$/);
  fc.assert(
    fc.property(local, label, label, (name, host, top) => {
      const address = readEmail(`${name}@${host}.${top}`);
      fc.pre(address !== null);
      expect(emailKeyOf(`${name}@${host}.${top}`)).toBe(address?.identity);
    }),
    { numRuns: 2000 },
  );
});
