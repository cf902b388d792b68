/**
 * How much of the tests runs. `npm test` leaves out the files named `*.all.*`, and runs a test on
 * both engines only where a race of the line could differ.
 */

/** `npm run faults` and `npm run test:long`: as many trials and histories as reports state. */
export const isLong = process.env.TESTS === 'long';

/** `npm run test:all`: every file, both engines, every state and window of the pages. */
export const isAll = isLong || process.env.TESTS === 'all';
