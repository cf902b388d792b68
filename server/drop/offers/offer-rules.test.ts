import { expect, test } from 'vitest';
import {
  awakeFrom,
  describeCost,
  describeMissingCodes,
  isQuiet,
  isTimeOfDay,
  shareOut,
  timesFrom,
  timesFromMail,
  timeToRemind,
} from './offer-rules.ts';

const at = (time: string) => new Date(`2026-11-22T${time}:00Z`);

test('quiet hours may go past midnight, and are those of the time zone', () => {
  const night = { time_zone: 'UTC', quiet_from: '22:00', quiet_until: '07:30' };
  for (const time of ['22:00', '23:59', '00:00', '07:29'])
    expect(isQuiet(at(time), night)).toBe(true);
  for (const time of ['07:30', '12:00', '21:59']) expect(isQuiet(at(time), night)).toBe(false);
  const noon = { time_zone: 'UTC', quiet_from: '12:00', quiet_until: '14:00' };
  for (const time of ['12:00', '13:59']) expect(isQuiet(at(time), noon)).toBe(true);
  for (const time of ['11:59', '14:00']) expect(isQuiet(at(time), noon)).toBe(false);
  expect(isQuiet(at('21:30'), { ...night, time_zone: 'Europe/Berlin' })).toBe(true);
  expect(isQuiet(at('06:45'), { ...night, time_zone: 'Europe/Berlin' })).toBe(false);
  expect(isQuiet(at('23:00'), { ...night, quiet_from: null, quiet_until: null })).toBe(false);
});

test.each([
  ['JPY', '¥990,000'],
  ['HUF', 'HUF 9,900.00'],
  ['KWD', 'KWD 990.000'],
])('a price in %s has the digits that its till counts', (currency, price) => {
  const said = describeCost({ cents: 990_000, currency }, 'en');
  expect(said.replace('\u00a0', ' ')).toBe(price);
});

test('a time of day has two digits for hour and minute', () => {
  expect(['00:00', '23:59'].every(isTimeOfDay)).toBe(true);
  expect(['24:00', '7:00', '12:60', 'noon', ''].some(isTimeOfDay)).toBe(false);
});

test('codes are missing by size, unless those for any size make up for it', () => {
  const sizes = [
    { name: 'Small', held: 3 },
    { name: 'Large', held: 2 },
  ];
  const codes = [
    { size: 'Small', free: 1 },
    { size: 'Large', free: 9 },
  ];
  expect(describeMissingCodes(sizes, codes)).toBe('2 for Small');
  expect(describeMissingCodes(sizes, [...codes, { size: null, free: 1 }])).toBe(
    '2 for Small, of which 1 for any size are there',
  );
  expect(describeMissingCodes(sizes, [...codes, { size: null, free: 2 }])).toBeNull();
  expect(describeMissingCodes(sizes, [])).toBe('3 for Small, 2 for Large');
});

test('the drawn size comes first, then the wish, then any size of which most are left', () => {
  const sizes = [
    { name: 'Small', held: 1 },
    { name: 'Large', held: 2 },
  ];
  const taker = (chosen_size: string | null, wish: string[], takes_any = false) => ({
    chosen_size,
    sizes: wish,
    takes_any,
  });
  const takers = [
    taker('Small', ['Large']),
    taker('Small', ['Large']),
    taker(null, ['Small']),
    taker(null, [], true),
    taker(null, [], true),
  ];
  expect(shareOut(takers, sizes).map(({ taker, size }) => [takers.indexOf(taker), size])).toEqual([
    [0, 'Small'],
    [1, 'Large'],
    [3, 'Large'],
  ]);
});

const QUIET = { time_zone: 'Europe/Berlin', quiet_from: '22:00', quiet_until: '08:00' };
const terms = (hours: number) => ({ ...QUIET, offer_minutes: hours * 60 });
const utc = (text: string) => new Date(`2026-${text}:00Z`);

test('no offer ends in quiet hours, and its reminder comes before them', () => {
  expect(timesFrom(utc('07-01T12:00'), terms(12))).toEqual({
    expires_at: utc('07-02T06:00'),
    remind_at: utc('07-01T19:00'),
  });
  // The end is late enough for a reminder when the quiet hours are over.
  expect(timesFrom(utc('07-01T19:50'), terms(12))).toEqual({
    expires_at: utc('07-02T07:50'),
    remind_at: utc('07-02T06:00'),
  });
  expect(timesFrom(utc('07-01T06:00'), terms(12))).toEqual({
    expires_at: utc('07-01T18:00'),
    remind_at: utc('07-01T16:00'),
  });
});

test('who has not paid is reminded half-way, outside quiet hours while there is time', () => {
  const remindedAt = (from: string, payBy: string) => timeToRemind(utc(from), utc(payBy), QUIET);
  expect(remindedAt('07-01T08:00', '07-01T14:00')).toEqual(utc('07-01T11:00'));
  expect(remindedAt('07-01T14:00', '07-02T14:00')).toEqual(utc('07-02T06:00'));
  // The end is at night: before it.
  expect(remindedAt('07-01T16:00', '07-02T00:30')).toEqual(utc('07-01T19:00'));
  // Whoever accepts at night and has to pay at night is awake.
  expect(remindedAt('07-01T22:00', '07-02T02:00')).toEqual(utc('07-02T00:00'));
});

test('an offer whose mail leaves in quiet hours begins with their end', () => {
  expect(timesFromMail(utc('07-01T23:10'), terms(12)).expires_at).toEqual(utc('07-02T18:00'));
  const begun = timesFromMail(new Date('2026-07-01T10:00:30Z'), terms(1));
  expect(begun.expires_at).toEqual(utc('07-01T11:02'));
});

test('quiet hours end by the clock on the wall on the days that clocks change', () => {
  expect(awakeFrom(utc('03-29T00:30'), QUIET)).toEqual(utc('03-29T06:00'));
  expect(awakeFrom(utc('10-25T00:30'), QUIET)).toEqual(utc('10-25T07:00'));
});

test('no beginning leaves an offer without an hour for its reminder, or ends it at night', () => {
  const MINUTE_MS = 60_000;
  const HOUR_MS = 60 * MINUTE_MS;
  for (const hours of [0.5, 3, 6, 12, 24])
    for (let minute = 0; minute < 24 * 60; minute += 7) {
      const mailed = new Date(utc('07-01T00:00').getTime() + minute * MINUTE_MS);
      const { expires_at: end, remind_at: reminder } = timesFromMail(mailed, terms(hours));
      expect([isQuiet(end, QUIET), isQuiet(reminder, QUIET)], String(mailed)).toEqual([
        false,
        false,
      ]);
      expect(reminder.getTime() - mailed.getTime(), String(mailed)).toBeGreaterThan(MINUTE_MS);
      // A sweep of every second comes between the reminder and the quiet hours.
      expect(isQuiet(new Date(reminder.getTime() + 15_000), QUIET), String(mailed)).toBe(false);
      const leftMs = Math.min(1, hours / 2) * HOUR_MS;
      expect(end.getTime() - reminder.getTime()).toBeGreaterThanOrEqual(leftMs);
    }
});
