/** Moments as people and tools write them in English, German and Spanish; in UTC without a zone. */

import type { ImportMapping } from '../../../contract/operator/imports/list-import.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.ts';

export type DateFault = 'bad_date' | 'ambiguous_date' | 'future_date';

const SECOND = String.raw`(?:[:.](?<second>\d\d)(?:[.,](?<fraction>\d+))?)?`;
const TIME = String.raw`[ t](?<hour>\d{1,2})[:.](?<minute>\d\d)${SECOND} ?(?<half>[ap]m)?`;
const ZONE = String.raw` ?(?<zone>[a-z]*) ?(?:(?<sign>[+-])(?<away>\d{1,2})(?::?(?<rest>\d\d))?)?`;
const momentWith = (day: string) => new RegExp(`^(?:[a-z]+ )?${day}(?:${TIME}${ZONE}(?: utc)?)?$`);
const FORMATS = [
  momentWith(String.raw`(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})`),
  momentWith(String.raw`(?<named>[a-z]{3,}) (?<day>\d{1,2})(?:st|nd|rd|th)? (?<year>\d{4})`),
  momentWith(
    String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?[ /-](?<named>[a-z]{3,})[ /-](?<year>\d{4}|\d\d)`,
  ),
  momentWith(String.raw`(?<one>\d{1,2})(?<separator>[/.-])(?<two>\d{1,2})[/.-](?<year>\d{4}|\d\d)`),
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)_(?<hour>\d\d)-(?<minute>\d\d)-(?<second>\d\d)$/,
];
const SECONDS = /^\d{10}$/;
const MILLISECONDS = /^\d{13}$/;
/** A date that a spreadsheet shows as a number: days since the end of 1899. */
const SERIAL = /^[345]\d{4}(?:[.,]\d+)?$/;
const SERIAL_START = Date.UTC(1899, 11, 30);
const MONTHS = 'jan|ene feb mar|mrz apr|abr may|mai jun jul aug|ago sep|set oct|okt nov dec|dez|dic'
  .split(' ')
  .map((names) => new RegExp(`^(?:${names})`));
/** What these hours are ahead of UTC. */
const ZONES: Readonly<Record<string, string>> = {
  '-8': 'pst',
  '-7': 'pdt mst',
  '-6': 'mdt cst',
  '-5': 'cdt est',
  '-4': 'edt',
  '0': 'z utc gmt wet wez',
  '1': 'west wesz bst cet mez',
  '2': 'cest mesz eet oez',
  '3': 'eest oesz',
};
const EARLIEST = Date.UTC(1990);
const AHEAD_MS = DAY_MS;

/** `dates` is how 1/2/2026 reads; 1.2.2026 is the first of February everywhere. */
export function readMoment(
  text: string,
  { dates, now }: { dates: ImportMapping['dates']; now: Date },
): Date | DateFault {
  const read = parse(plain(text), dates);
  if (typeof read === 'string') return read;
  if (Number.isNaN(read) || read < EARLIEST) return 'bad_date';
  return read > now.getTime() + AHEAD_MS ? 'future_date' : new Date(Math.min(read, now.getTime()));
}

/** Without accents, words that say nothing, and the marks and blanks of abbreviations. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\(.*\)\s*$/, '')
    .replaceAll(/\b(?:de|del|of|at|um|uhr|a las?)\b|,(?!\d)|(?<=[a-z])\.|(?<=\d)\.(?=\s)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/\b([ap]) m\b/, '$1m')
    .replace(/\b(vor|nach)m(?:ittags)?\b/, (_words, part) => (part === 'vor' ? 'am' : 'pm'))
    .trim();
}

function parse(text: string, dates: ImportMapping['dates']): number | 'ambiguous_date' {
  if (SECONDS.test(text)) return Number(text) * 1000;
  if (MILLISECONDS.test(text)) return Number(text);
  if (SERIAL.test(text)) return SERIAL_START + Math.round(Number(text.replace(',', '.')) * DAY_MS);
  const [parts] = FORMATS.flatMap<Parts>((format) => format.exec(text)?.groups ?? []);
  if (parts === undefined) return Number.NaN;
  const { one, two, separator, ...rest } = parts;
  if (separator === undefined) return momentOf(rest);
  const first = separator === '.' ? 'day_first' : (dates ?? firstOf(Number(one), Number(two)));
  if (first === null) return 'ambiguous_date';
  const [day, month] = first === 'day_first' ? [one, two] : [two, one];
  return momentOf({ ...rest, day, month });
}

/** No month is over 12. */
function firstOf(one: number, two: number): 'day_first' | 'month_first' | null {
  if (one > 12 || one === two) return 'day_first';
  return two > 12 ? 'month_first' : null;
}

type Parts = Readonly<Record<string, string | undefined>>;

function momentOf({ year = '', month, named = '', day, half, ...time }: Parts): number {
  const months =
    month === undefined ? MONTHS.findIndex((names) => names.test(named)) : Number(month) - 1;
  const { hour = 0, minute = 0, second = 0, fraction = '' } = time;
  const hours = hourOf(Number(hour), half);
  const [minutes, seconds] = [Number(minute), Number(second)];
  const years = Number(year.padStart(4, '20'));
  const at = Date.UTC(years, months, Number(day), hours, minutes, seconds);
  const read = new Date(at);
  // Date carries the 31st of June over to July.
  const isSame = read.getUTCMonth() === months && read.getUTCDate() === Number(day);
  if (!isSame || hours > 23 || minutes > 59 || seconds > 60) return Number.NaN;
  return at + Number(fraction.padEnd(3, '0').slice(0, 3)) - aheadMs(time);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half === 'pm' ? 12 : 0);
}

/** What the zone is ahead of UTC; NaN for one that is not known. */
function aheadMs({ zone = '', sign, away, rest = '0' }: Parts): number {
  const hours = Object.keys(ZONES).find((ahead) => ZONES[ahead]?.split(' ').includes(zone || 'z'));
  const offset = Number(away ?? 0) * HOUR_MS + Number(rest) * MINUTE_MS;
  return Number(hours) * HOUR_MS + (sign === '-' ? -offset : offset);
}
