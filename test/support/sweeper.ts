/**
 * A process that holds the credits of all friends, as a sweep that suspects everybody. Takes a data
 * folder, in which transaction to die (0: in none), and the URL of a PostgreSQL or nothing.
 */
import { brand } from '../../brand/brand.ts';
import { openDatabase } from '../../server/db/open.ts';
import { sweepCredits } from '../../server/fairness/sweep/sweep-credits.ts';

const [, , dataDir = '', fatal = '0', databaseUrl = null] = process.argv;
const database = await openDatabase({ dataDir, databaseUrl, log: () => {} });
const READS_A_TRANSACTION = 2;
let reads = 0;

await sweepCredits({
  database,
  brand: {
    ...brand,
    /** Read before each transaction, for its plan, and again while it holds the line lock. */
    get tiers() {
      reads += 1;
      if (reads === READS_A_TRANSACTION * Number(fatal))
        setImmediate(() => process.kill(process.pid, 'SIGKILL'));
      return brand.tiers;
    },
  },
  referralCredit: 'join',
  fairness: {
    isReady: () => true,
    reEvaluate: () => ({ rules: ['address-pattern'], score: 100 }),
  },
  maxMs: 60_000,
});
await database.close();
