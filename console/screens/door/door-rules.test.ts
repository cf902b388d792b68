import { expect, test } from 'vitest';
import type { ScannedPass } from '../../../contract/operator/drop/offers.ts';
import { judgeOffline, readCode, type Verdict, verdictOf } from './door-rules.ts';

const NOW = Date.parse('2030-01-01T12:00:00Z');
const PASS: ScannedPass = {
  result: 'given',
  drop: 2,
  size: 'Small',
  position: 12,
  email: 'ada@example.com',
  used_at: '2030-01-01T11:58:00Z',
  used_by: 'Vera',
};
const textOf = ({ tone, title, size, lines }: Verdict) => [tone, title, size, ...lines].join('|');

test.each([
  [' 7kqf 2m9x htwb 4rzd ', '7KQF-2M9X-HTWB-4RZD'],
  ['7KQF-2M9X-HTWB-4RZD', '7KQF-2M9X-HTWB-4RZD'],
  // Our codes have no 0, 1, I or O, so these are codes of a shop.
  ['0KQF-2M9X-HTWB-4RZD', '0KQF-2M9X-HTWB-4RZD'],
  [' shop-Code_1 ', 'shop-Code_1'],
])('the typed code %j is read as %j', (typed, code) => {
  expect(readCode(typed)).toBe(code);
});

test.each<[Partial<ScannedPass>, string]>([
  [{}, 'go|Hand over|Small|Ghost #12, drop 2|ada@example.com'],
  [{ email: null }, 'go|Hand over|Small|Ghost #12, drop 2|Has left the line'],
  [{ result: 'used' }, 'stop|Already used||Used 2 minutes ago (1 Jan 2030, 11:58) by Vera|'],
  [{ result: 'used', used_by: 'order #7' }, 'by order #7|'],
  [{ result: 'cancelled', used_at: null }, 'stop|Cancelled||Ghost #12'],
])('a scan that finds %j says %s', (found, words) => {
  expect(textOf(verdictOf({ ...PASS, ...found }, NOW))).toContain(words);
});

test.each<[string, string | null, string]>([
  ['a pass that was unused', 'unused', 'unsure|Unsure|Small'],
  ['a pass that was used', 'used', 'stop|Already used|'],
  ['a code that is in no list', 'other', 'stop|Unknown code|'],
  ['a code that cannot be hashed', null, 'unsure|Unsure|?'],
])('%s is judged so without network', (_what, hash, words) => {
  const known = [
    { hash: 'unused', size: 'Small', is_used: false },
    { hash: 'used', size: 'Small', is_used: true },
  ];
  expect(textOf(judgeOffline('A', hash, known, []))).toContain(words);
});

test('without a list every pass is unsure once, and used the second time', () => {
  expect(judgeOffline('A', 'unused', null, []).tone).toBe('unsure');
  const before = [{ id: '1', code: 'A', at: NOW }];
  expect(textOf(judgeOffline('A', 'unused', null, before))).toContain('has scanned it before');
});
