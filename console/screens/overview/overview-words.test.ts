import { expect, test } from 'vitest';
import { formatWait, formatWaits, nameSource, writeSource } from './overview-words.ts';

test.each([
  [0, 'a minute'],
  [1, '1 minute'],
  [119, '119 minutes'],
  [120, '2 hours'],
  [1440, '24 hours'],
  [2880, '2 days'],
  [43_200, '30 days'],
])('%i minutes are %s', (minutes, words) => {
  expect(formatWait(minutes)).toBe(words);
});

test('a range of waits names both its ends', () => {
  expect(formatWaits(0, 10)).toBe('Less than 10 minutes');
  expect(formatWaits(60, 180)).toBe('60 minutes to 3 hours');
  expect(formatWaits(20_160, null)).toBe('14 days or more');
});

const unknown = { utm_source: '', utm_medium: '', utm_campaign: '', referring_host: '', via: '' };
const counts = { visits: 0, joins: 0, invited: 0, is_pinned: false };

test('a source is written as the parameters that lead to it, where any do', () => {
  const fair = { ...unknown, ...counts, utm_source: 'Messe Köln', referring_host: 'a.example' };
  expect(writeSource(fair)).toBe('utm_source=Messe+K%C3%B6ln&referring_host=a.example');
  expect(writeSource({ ...unknown, ...counts })).toBeNull();
  expect(writeSource({ ...unknown, ...counts, utm_source: '(other)' })).toBeNull();
});

test('a source is named by what is known about it', () => {
  expect(nameSource({ ...unknown, ...counts })).toBe('Direct or unknown');
  expect(nameSource({ ...unknown, ...counts, utm_source: 'tiktok', via: 'qr' })).toBe(
    'tiktok · via qr',
  );
});
