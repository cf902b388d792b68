import { Problem } from '../problem.ts';

/** Throws Problem invalid_field for the name of no time zone. */
export function assertTimeZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new Problem('invalid_field', 'The time zone must be one such as Europe/Berlin.');
  }
}
