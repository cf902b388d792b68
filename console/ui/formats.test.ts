import { expect, test } from 'vitest';
import { fromLocalInput, toLocalInput } from './fields.tsx';
import { formatAmount, formatBytes, formatCount, formatRelative, formatShare } from './formats.ts';

test('numbers have thousands, shares one digit, amounts their noun', () => {
  expect(formatCount(12_380)).toBe('12,380');
  expect(formatShare(0.0449)).toBe('4.5%');
  expect([0, 1, 12_380].map((count) => formatAmount(count, 'friend'))).toEqual([
    '0 friends',
    '1 friend',
    '12,380 friends',
  ]);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1.0 kB'],
  [48_200_000, '48.2 MB'],
  [2_500_000_000_000_000, '2500.0 TB'],
])('%i bytes are %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});

const NOW = Date.parse('2030-01-31T12:00:00Z');
const shift = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

test.each([
  [0, 'just now'],
  [-20, 'just now'],
  [-60, '1 minute ago'],
  [-59 * 60, '59 minutes ago'],
  [-3600, '1 hour ago'],
  [-23 * 3600, '23 hours ago'],
  [-86_400, 'yesterday'],
  [-3 * 86_400, '3 days ago'],
  [-8 * 86_400, '23 Jan 2030'],
  [7200, 'in 2 hours'],
])('%i seconds from now is "%s"', (seconds, words) => {
  expect(formatRelative(shift(seconds), NOW)).toBe(words);
});

test('the browser’s local time and ISO 8601 are turned into each other', () => {
  const iso = '2030-07-31T09:30:00.000Z';
  expect(fromLocalInput(toLocalInput(iso))).toBe(iso);
  expect(new Date(toLocalInput(iso)).getTime()).toBe(Date.parse(iso));
});

test('an invalid time is empty', () => {
  expect(toLocalInput('')).toBe('');
  expect(fromLocalInput('')).toBe('');
  expect(fromLocalInput('tomorrow')).toBe('');
});
