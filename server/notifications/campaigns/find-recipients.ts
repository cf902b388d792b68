import type { Brand } from '../../../brand/brand-shape.ts';
import type { MemberFilter } from '../../../contract/operator/member-filter.ts';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { readFilter } from '../../members/list/filter-rules.ts';
import { matches, positionsWithin } from '../../members/list/filter-store.ts';
import { findNextRecipients, readUnfound, stopHalted } from './campaign-store.ts';

type Options = {
  readonly database: Database;
  readonly brand: Pick<Brand, 'tiers'>;
  readonly onFound: () => void;
  readonly onError: (error: unknown) => void;
};

/** A join on the embedded engine waits some milliseconds for a slice of this many members. */
const SLICE = 500;
/** So many neighbours in the line are found at one moment, so that "first 100" is nobody else. */
const MAX_AT_ONCE = 10_000;
const LOOK_EVERY_MS = 5_000;

/** Any number of servers may do so: a slice begins where the last committed one ended. */
export function openRecipientFinder({ database, brand, onFound, onError }: Options) {
  let isClosed = false;
  let running: Promise<void> | null = null;

  async function findAll(): Promise<void> {
    await stopHalted(database);
    while (!isClosed) {
      const campaign = await readUnfound(database);
      if (campaign === null) return;
      const criteria = readFilter(campaign.filter as MemberFilter, brand.tiers);
      const { least = 1, most = Infinity } = criteria.positions ?? {};
      await findNextRecipients(database, {
        id: campaign.id,
        condition: matches(criteria),
        among: most - least < MAX_AT_ONCE ? positionsWithin(criteria) : SLICE,
      });
      onFound();
      await letOthersIn();
    }
  }

  function wake(): void {
    running ??= findAll()
      .catch(onError)
      .finally(() => {
        running = null;
      });
  }

  const timer = setInterval(wake, LOOK_EVERY_MS).unref();
  wake();
  return {
    wake,
    async close() {
      isClosed = true;
      clearInterval(timer);
      await running;
    },
  };
}
