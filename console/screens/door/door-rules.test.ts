import { expect, test } from 'vitest';
import type { ScannedPass } from '../../../contract/operator/drop/offers.ts';
import { noAnswer, readCode, type Verdict, verdictOf } from './door-rules.ts';

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
  [{ result: 'unpaid', used_at: null }, 'stop|Not paid||No payment has arrived, or it went back.'],
  [{ result: 'other_drop', drop: 1 }, 'stop|Drop 1||It is for a mask of drop 1'],
  [{ result: 'undone' }, 'stop|Taken back||Nothing is handed over'],
  [{ result: 'used' }, 'stop|Already used||Used 2 minutes ago (1 Jan 2030, 11:58) by Vera|'],
  [{ result: 'used', used_by: 'DHL' }, 'by DHL|'],
  [{ result: 'cancelled', used_at: null }, 'stop|Cancelled||Ghost #12'],
])('a scan that finds %j says %s', (found, words) => {
  expect(textOf(verdictOf({ ...PASS, ...found }, NOW))).toContain(words);
});

test('without an answer nothing is handed over, and the pass may count as used', () => {
  expect(textOf(noAnswer('No network.', {}))).toBe(
    'unanswered|No answer||No network.|Hand over nothing yet, and try again.',
  );
  expect(textOf(noAnswer('No network.', { isUndone: true }))).toContain('may still count as used');
});
