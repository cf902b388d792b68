import { expect, test } from 'vitest';
import { planDay } from './day-rules.ts';

const TERMS = {
  offer_minutes: 720,
  time_zone: 'Europe/Berlin',
  quiet_from: '22:00',
  quiet_until: '08:00',
};

test('the day of a start has a wave for each half that is left, and none ends at night', () => {
  const begin = new Date('2026-07-01T21:00:00Z');
  const day = planDay(begin, { available: 100, following: 500 }, TERMS);
  expect(day?.sentences.slice(1, 3)).toEqual([
    'Thu 2 Jul, 08:00: 100 masks are offered, until Thu 2 Jul, 20:00. ' +
      'The reminder is due Thu 2 Jul, 18:00.',
    'Thu 2 Jul, 20:00: 50 masks are offered, until Fri 3 Jul, 08:00. ' +
      'The reminder is due Thu 2 Jul, 21:00.',
  ]);
  expect(day?.sentences.at(-1)).toBe(
    'When the first offers go out it is night in Los Angeles, New York, London; when they end, ' +
      'in Tokyo. Where members live is not known.',
  );
  const waves = day?.timeline.rows.filter((row) => !row.is_night);
  expect(waves?.map(({ spans }) => spans[0]?.text)).toEqual([
    '100',
    '50',
    '25',
    '12',
    '6',
    '3',
    '1',
  ]);
  const berlin = day?.timeline.rows.find(({ label }) => label === 'Night in Berlin');
  expect(berlin?.spans[0]).toEqual({
    from: '2026-07-02T20:00:00.000Z',
    until: '2026-07-03T06:00:00.000Z',
    text: '',
  });
});

test('the plan stops with the last member, and is null when nobody follows', () => {
  const begin = new Date('2026-07-01T12:00:00Z');
  const day = planDay(begin, { available: 8, following: 10 }, TERMS);
  expect(
    day?.timeline.rows.filter((row) => !row.is_night).map(({ spans }) => spans[0]?.text),
  ).toEqual(['8', '2']);
  expect(planDay(begin, { available: 8, following: 0 }, TERMS)).toBeNull();
});
