import { invalidField } from './problem.ts';

const MOMENT = /^(\d{4}-\d\d-(\d\d))(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/;
/** A time without a zone would depend on where the server stands. */
const DAY_OR_ZONED = /^[^T]+$|Z$|[+-]\d\d:\d\d$/;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/** Invalid unless ISO 8601 and in the calendar: Date reads the 31st of April as a day of May. */
export function parseMoment(text: string): Date {
  const [, day = '', dayOfMonth] = MOMENT.exec(text) ?? [];
  const isInCalendar = new Date(day).getUTCDate() === Number(dayOfMonth);
  return new Date(isInCalendar ? text : Number.NaN);
}

export function readMoment(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = parseMoment(DAY_OR_ZONED.test(text) ? text : '');
  // The database reads years of four digits alone, from 1.
  if (!(moment.getTime() >= FIRST_MS && moment.getTime() <= LAST_MS))
    throw invalidField(
      `The field "${field}" must be a day such as 2026-05-01, or a time with its zone such as ` +
        '2026-05-01T18:00Z.',
    );
  return moment;
}
