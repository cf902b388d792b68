import { expect, test } from 'vitest';
import { formatWait, formatWaits, nameSource } from './overview-words.ts';

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

test('a source is named by what is known about it', () => {
  const unknown = { utm_source: '', utm_medium: '', utm_campaign: '', referring_host: '', via: '' };
  const counts = { visits: 0, joins: 0, invited: 0 };
  expect(nameSource({ ...unknown, ...counts })).toBe('Direct or unknown');
  expect(nameSource({ ...unknown, ...counts, utm_source: 'tiktok', via: 'qr' })).toBe(
    'tiktok · via qr',
  );
});
