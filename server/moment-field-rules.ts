import { invalidField } from './problem.ts';

/** A moment without a time zone would depend on where the server stands. */
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

export function readMoment(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(MOMENT.test(text) ? text : Number.NaN);
  // The database reads years of four digits alone, from 1.
  if (!(moment.getTime() >= FIRST_MS && moment.getTime() <= LAST_MS))
    throw invalidField(
      `The field "${field}" must be a day such as 2026-05-01, or a time with its zone such as ` +
        '2026-05-01T18:00Z.',
    );
  return moment;
}
