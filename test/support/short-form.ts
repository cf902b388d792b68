/**
 * `npm test` runs the short form of the tests, and `npm run faults` (`FAULTS=full`) the long one,
 * with nothing left out. The short form leaves out no test, but runs less of some:
 *
 * - Engines: the tests of `oneEngine` run on PostgreSQL alone, and those of `defaultEngine` on the
 *   embedded engine. They are about words, headers, links, mails, parsing and whole servers, above
 *   SQL that other files run on both engines.
 * - Trials: kills, power cuts, full disks and the like happen once or twice, not dozens of times.
 *   Each number is a constant at the top of its file.
 * - Histories: the line is compared with its model in 120 of them; `npm run test:long` takes 2,000.
 * - Load: overload lasts seconds, and rates and times are not judged.
 * - Windows: each job of the console is done by keys or by touch in turn, and axe looks at pages in
 *   the modes of `inEveryMode` and at the console in two of three widths.
 * - Compilation: servers run with `QUICK_START`, whose code is never optimised.
 */
export const isFull = process.env.FAULTS === 'full';
