import { expect, test } from 'vitest';
import { describeMissingCodes, isQuiet, isTimeOfDay, shareOut } from './offer-rules.ts';

const at = (time: string) => new Date(`2026-11-22T${time}:00Z`);

test('quiet hours may go past midnight, and are those of the time zone', () => {
  const night = { time_zone: 'UTC', quiet_from: '22:00', quiet_until: '07:30' };
  for (const time of ['22:00', '23:59', '00:00', '07:29'])
    expect(isQuiet(at(time), night)).toBe(true);
  for (const time of ['07:30', '12:00', '21:59']) expect(isQuiet(at(time), night)).toBe(false);
  const noon = { time_zone: 'UTC', quiet_from: '12:00', quiet_until: '14:00' };
  expect([isQuiet(at('13:59'), noon), isQuiet(at('14:00'), noon)]).toEqual([true, false]);
  expect(isQuiet(at('21:30'), { ...night, time_zone: 'Europe/Berlin' })).toBe(true);
  expect(isQuiet(at('06:45'), { ...night, time_zone: 'Europe/Berlin' })).toBe(false);
  expect(isQuiet(at('23:00'), { ...night, quiet_from: null, quiet_until: null })).toBe(false);
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
