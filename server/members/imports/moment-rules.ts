/** Moments as other tools write them. Without a time zone they are in UTC. */

import type { ImportMapping } from '../../../contract/operator/imports/list-import.ts';
import { DAY_MS, MINUTE_MS } from '../../durations.ts';

export type DateFault = 'bad_date' | 'ambiguous_date' | 'future_date';

const SECOND = String.raw`(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?`;
const TIME = String.raw`(?:,? +|T)(?<hour>\d{1,2}):(?<minute>\d\d)${SECOND} ?(?<half>[AP]M)?`;
const ZONE = String.raw` ?(?<zone>Z|(?:UTC|GMT)?(?:[+-]\d{1,2}(?::?\d\d)?)?)(?: UTC)?`;
const momentWith = (day: string) => new RegExp(`^${day}(?:${TIME}${ZONE})?$`, 'i');
const FORMATS = [
  momentWith(String.raw`(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})`),
  momentWith(String.raw`(?<named>[a-z]{3})[a-z]* (?<day>\d{1,2}),? (?<year>\d{4})`),
  momentWith(String.raw`(?<day>\d{1,2})\.? (?<named>[a-z]{3})[a-z]* (?<year>\d{4})`),
  momentWith(String.raw`(?<one>\d{1,2})(?<separator>[/.-])(?<two>\d{1,2})[/.-](?<year>\d{4})`),
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)_(?<hour>\d\d)-(?<minute>\d\d)-(?<second>\d\d)$/,
];
const SECONDS = /^\d{10}$/;
const MILLISECONDS = /^\d{13}$/;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const EARLIEST = Date.UTC(1990);
const AHEAD_MS = DAY_MS;

/** `dates` is how 1/2/2026 reads; 1.2.2026 is the first of February everywhere. */
export function readMoment(
  text: string,
  { dates, now }: { dates: ImportMapping['dates']; now: Date },
): Date | DateFault {
  const read = parse(text.trim(), dates);
  if (typeof read === 'string') return read;
  if (Number.isNaN(read) || read < EARLIEST) return 'bad_date';
  return read > now.getTime() + AHEAD_MS ? 'future_date' : new Date(Math.min(read, now.getTime()));
}

function parse(text: string, dates: ImportMapping['dates']): number | 'ambiguous_date' {
  if (SECONDS.test(text)) return Number(text) * 1000;
  if (MILLISECONDS.test(text)) return Number(text);
  const [parts] = FORMATS.flatMap<Parts>((format) => format.exec(text)?.groups ?? []);
  if (parts === undefined) return Number.NaN;
  const { one, two, separator, ...rest } = parts;
  if (separator === undefined) return momentOf(rest);
  const isDayFirst = separator === '.' || dates === 'day_first';
  if (isDayFirst) return momentOf({ ...rest, day: one, month: two });
  return dates === 'month_first' ? momentOf({ ...rest, day: two, month: one }) : 'ambiguous_date';
}

type Parts = Readonly<Record<string, string | undefined>>;

function momentOf({ year, month, named = '', day, half, zone, ...time }: Parts): number {
  const months = month === undefined ? MONTHS.indexOf(named.toLowerCase()) : Number(month) - 1;
  const { hour = 0, minute = 0, second = 0, fraction = '' } = time;
  const hours = hourOf(Number(hour), half?.toUpperCase());
  const [minutes, seconds] = [Number(minute), Number(second)];
  const at = Date.UTC(Number(year), months, Number(day), hours, minutes, seconds);
  const read = new Date(at);
  // Date carries the 31st of June over to July.
  const isSame = read.getUTCMonth() === months && read.getUTCDate() === Number(day);
  if (!isSame || hours > 23 || minutes > 59 || seconds > 60) return Number.NaN;
  return at + Number(fraction.padEnd(3, '0').slice(0, 3)) - zoneMs(zone);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half === 'PM' ? 12 : 0);
}

function zoneMs(zone = ''): number {
  const [, sign, hours, minutes = 0] = /([+-])(\d{1,2}):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}
