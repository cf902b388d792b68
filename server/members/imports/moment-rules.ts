/** Moments as other tools write them. Without a time zone they are in UTC. */

import type { ImportMapping } from '../../../contract/operator/imports/list-import.ts';
import { DAY_MS, MINUTE_MS } from '../../durations.ts';

export type ReadMoment = Date | 'bad_date' | 'ambiguous_date' | 'future_date';

const TIME = String.raw`(?:(?:,? +|T)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)? ?([AP]M)?)?`;
const ZONE = String.raw` ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?(?: UTC)?`;
const of = (day: string) => new RegExp(`^${day}${TIME}${ZONE}$`, 'i');
const YEAR_FIRST = of(String.raw`(\d{4})[-/](\d{1,2})[-/](\d{1,2})`);
const YEAR_LAST = of(String.raw`(\d{1,2})([/.-])(\d{1,2})[/.-](\d{4})`);
const MONTH_NAMED = of(String.raw`([a-z]{3})[a-z]* (\d{1,2}),? (\d{4})`);
const DAY_NAMED = of(String.raw`(\d{1,2})\.? ([a-z]{3})[a-z]* (\d{4})`);
const UNDERSCORED = /^(\d{4})-(\d\d)-(\d\d)_(\d\d)-(\d\d)-(\d\d)$/;
const SECONDS = /^\d{10}$/;
const MILLISECONDS = /^\d{13}$/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
/** Earlier dates are mistakes. */
const EARLIEST = Date.UTC(1990);
/** Clocks and time zones of other tools may be ahead of ours. */
const AHEAD_MS = DAY_MS;

/** `dates` is how 1/2/2026 reads; 1.2.2026 is the first of February everywhere. */
export function readMoment(
  text: string,
  { dates, now }: { dates: ImportMapping['dates']; now: Date },
): ReadMoment {
  const read = parse(text.trim(), dates);
  if (typeof read === 'string') return read;
  if (Number.isNaN(read) || read < EARLIEST) return 'bad_date';
  return read > now.getTime() + AHEAD_MS ? 'future_date' : new Date(Math.min(read, now.getTime()));
}

function parse(text: string, dates: ImportMapping['dates']): number | 'ambiguous_date' {
  if (SECONDS.test(text)) return Number(text) * 1000;
  if (MILLISECONDS.test(text)) return Number(text);
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return momentOf(yearFirst.slice(1, 4), yearFirst.slice(4));
  const underscored = UNDERSCORED.exec(text);
  if (underscored !== null) return momentOf(underscored.slice(1, 4), underscored.slice(4));
  const named = MONTH_NAMED.exec(text);
  if (named !== null) return momentOf([named[3], monthNumber(named[1]), named[2]], named.slice(4));
  const dayNamed = DAY_NAMED.exec(text);
  if (dayNamed !== null)
    return momentOf([dayNamed[3], monthNumber(dayNamed[2]), dayNamed[1]], dayNamed.slice(4));
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast === null) return Number.NaN;
  const [, first, separator, second, year, ...time] = yearLast;
  if (separator === '.' || dates === 'day_first') return momentOf([year, second, first], time);
  return dates === 'month_first' ? momentOf([year, first, second], time) : 'ambiguous_date';
}

type Parts = readonly (string | undefined)[];

/** `day` is year, month and day; `time` hour, minute, second, AM or PM, and zone. */
function momentOf(day: Parts, [hour, minute, second, half, zone]: Parts): number {
  const [years = Number.NaN, months = Number.NaN, days = Number.NaN] = day.map(Number);
  const hours = hourOf(Number(hour ?? 0), half?.toUpperCase());
  const [minutes, seconds] = [Number(minute ?? 0), Number(second ?? 0)];
  const at = Date.UTC(years, months - 1, days, hours, minutes, seconds);
  const read = new Date(at);
  // Date carries the 31st of June over to July.
  const isSame = read.getUTCMonth() === months - 1 && read.getUTCDate() === days;
  if (!isSame || hours > 23 || minutes > 59 || seconds > 60) return Number.NaN;
  return at - zoneMs(zone);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half === 'PM' ? 12 : 0);
}

function zoneMs(zone = 'Z'): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

function monthNumber(name = ''): string {
  return String(MONTHS.indexOf(name.toLowerCase()) + 1);
}
