import type { Brand } from '../../brand/brand-shape.ts';
import type { Member } from '../../contract/schemas.ts';
import { openBatcher } from '../db/batcher.ts';
import type { Database } from '../db/database.ts';
import type { Problem } from '../problem.ts';
import { readMemberId, unknownMember } from './member-id-rules.ts';
import { memberView } from './member-view.ts';
import { readMembers } from './store.ts';

export type StatusReader = ReturnType<typeof openStatusReader>;

type StatusReaderOptions = {
  readonly database: Database;
  readonly brand: Brand;
};

/** The embedded engine has one connection; more on PostgreSQL would only share its processors. */
const MAX_IN_FLIGHT = { embedded: 1, postgres: 3 };

export function readBatches({ engine }: Database) {
  const maxInFlight = MAX_IN_FLIGHT[engine];
  return { maxBatchSize: 256, minBeside: 8, maxWaiting: 8192, maxWaitMs: 5_000, maxInFlight };
}

/** Reads that arrive together share one query, which sees members and positions of one moment. */
export function openStatusReader({ database, brand }: StatusReaderOptions) {
  const batcher = openBatcher<string, Member>({
    ...readBatches(database),
    runBatch: readStatuses,
  });

  async function readStatuses(ids: readonly string[]): Promise<(Member | Problem)[]> {
    const rows = await readMembers(database, [...new Set(ids)]);
    const byId = new Map(rows.map((row) => [row.id, memberView(brand.tiers, row)]));
    return ids.map((id) => byId.get(id) ?? unknownMember());
  }

  return {
    async getStatus(memberId: string): Promise<Member> {
      const id = readMemberId(memberId);
      if (id === null) throw unknownMember();
      return await batcher.submit(id);
    },
    close: () => batcher.close(),
  };
}
