/** Hours and days of a time zone. All zones differ from UTC by whole quarters of an hour. */

import { HOUR_MS, MINUTE_MS } from '../durations.ts';

export type Bucket = 'hour' | 'day';

type Period = { readonly from: number; readonly to: number };

const QUARTER_MS = 15 * MINUTE_MS;
const LONG_DAY_MS = 27 * HOUR_MS;

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format() !== '';
  } catch {
    return false;
  }
}

/** Starts, and the end of the last one. A day has 23 or 25 hours when the clocks change. */
export function listStarts(
  { from, to }: Period,
  { bucket, timeZone, max }: { bucket: Bucket; timeZone: string; max: number },
): number[] {
  const dateOf = dates(timeZone);
  const day = firstQuarter(from - LONG_DAY_MS, from, (at) => dateOf(at) >= dateOf(from));
  const isHour = bucket === 'hour';
  let start = isHour ? day + Math.floor((from - day) / HOUR_MS) * HOUR_MS : day;
  const starts = [start];
  while (starts.length <= max && (start < to || starts.length === 1)) {
    start = isHour ? start + HOUR_MS : nextDay(start, dateOf);
    starts.push(start);
  }
  return starts;
}

function nextDay(start: number, dateOf: (at: number) => string): number {
  const date = dateOf(start);
  return firstQuarter(start, start + LONG_DAY_MS, (at) => dateOf(at) > date);
}

function dates(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (at) => format.format(at);
}

function firstQuarter(before: number, upTo: number, holds: (at: number) => boolean): number {
  let low = Math.floor(before / QUARTER_MS);
  let high = Math.floor(upTo / QUARTER_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle * QUARTER_MS)) high = middle;
    else low = middle;
  }
  return high * QUARTER_MS;
}
