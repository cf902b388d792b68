import { expect, test } from 'vitest';
import { planDays } from './day-rules.ts';

const TERMS = {
  offer_minutes: 720,
  time_zone: 'Europe/Berlin',
  quiet_from: '22:00',
  quiet_until: '08:00',
};

const masksOf = (days: readonly string[]) =>
  days.flatMap((sentence) => (/: (\d+) masks? /.exec(sentence)?.slice(1) ?? []).map(Number));

test('the day of a start has a wave for each half that is left, and none ends at night', () => {
  const begin = new Date('2026-07-01T21:00:00Z');
  const days = planDays(begin, { available: 100, following: 500 }, TERMS);
  expect(days.slice(1, 3)).toEqual([
    'Thu 2 Jul, 08:00: 100 masks are offered, until Thu 2 Jul, 20:00. ' +
      'The reminder is due Thu 2 Jul, 18:00.',
    'Thu 2 Jul, 20:00: 50 masks are offered, until Fri 3 Jul, 08:00. ' +
      'The reminder is due Thu 2 Jul, 21:00.',
  ]);
  expect(days.at(-1)).toBe(
    'When the first offers go out it is night in Los Angeles, New York, London; when they end, ' +
      'in Tokyo. Where members live is not known.',
  );
  expect(masksOf(days)).toEqual([100, 50, 25, 12, 6, 3, 1]);
});

test('the plan stops with the last member, and is empty when nobody follows', () => {
  const begin = new Date('2026-07-01T12:00:00Z');
  const days = planDays(begin, { available: 8, following: 10 }, TERMS);
  expect(masksOf(days)).toEqual([8, 2]);
  expect(planDays(begin, { available: 8, following: 0 }, TERMS)).toEqual([]);
});
