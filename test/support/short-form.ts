/**
 * `npm test` runs the short form of the tests; `npm run faults` (`FAULTS=full`) runs the long one,
 * with nothing left out. What the short form leaves out:
 *
 * - Faults: only the witnesses below run, once or twice each. The number of trials is a constant at
 *   the top of a file.
 * - Engines: tests of `oneEngine` run on PostgreSQL alone, tests of `defaultEngine` on the embedded
 *   engine; `test/support/engines.ts` lists what runs on both.
 * - Browsers: Firefox and WebKit go the journey of a visitor; `npm run browsers` has the rest.
 * - Fairness: no line with attackers is played against a server.
 * - Drops: none is rehearsed by `npm run rehearse`.
 * - Histories: the line is compared with its model in 120 of them; `npm run test:long` takes 2,000,
 *   and compares told odds with 2,000 drops instead of 300. Tills live through 30 histories of its
 *   10,000, and settled credits are reckoned for 40 lines of 100.
 * - Races: joins do not race under the rule `skip`, but changes do.
 * - Load: overload lasts seconds, and rates and times are not judged.
 * - Windows: each job of the console is done by keys or by touch in turn. Axe looks at a state in
 *   one of its modes or widths, which take turns, and in the console at every second state. Each
 *   screen of the console meets two of four faults, without React's own checks. The second brand's
 *   states are not looked at.
 * - Databases: lines of the first and the last stored state of the schema are brought up to date;
 *   the embedded database is created once, and tests in the process of a worker copy its files.
 * - Compilation: servers run with `QUICK_START`, whose code is never optimised.
 */
export const isFull = process.env.FAULTS === 'full';

/** One fault test of each kind, which `npm test` runs. The others are in `npm run faults` alone. */
export const WITNESSES = [
  // A process or its parent is killed, or it upgrades a schema or restarts on a held socket.
  'kill',
  'parent-gone',
  'upgrade-kill',
  'held-socket',
  // The disk: the power fails, it is full, the folder is gone.
  'power-cut',
  'disk-full',
  'folder-deleted',
  // The server's surroundings: the database is away, too many visitors come.
  'database-away',
  'overload/overload',
  // An operator's mistakes, refused with a sentence.
  'refused-start',
  'backup-refusals',
  // The tests of the tests.
  'history',
  'draw-from-seed',
] as const;
