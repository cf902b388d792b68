import { invalidField } from './problem.ts';

/** A moment without a time zone would depend on where the server stands. */
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/;

export function readMoment(field: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(MOMENT.test(text) ? text : Number.NaN);
  if (Number.isNaN(moment.getTime()))
    throw invalidField(
      `The field "${field}" must be a day such as 2026-05-01, or a time with its zone such as ` +
        '2026-05-01T18:00Z.',
    );
  return moment;
}
