import { hash } from 'node:crypto';
import type { Brand, BrandArt } from '../../brand/brand-shape.ts';
import type { Faces, Stats } from '../../contract/schemas.ts';
import { openBatcher } from '../db/batcher.ts';
import type { Database } from '../db/database.ts';
import { countAvailable } from '../drop/stock/size-rules.ts';
import { keepAnswers } from '../http/recent-answers.ts';
import { readFirstCodes, readStats } from './stats-store.ts';

const TOP_REFERRERS = 10;

/** The stats of docs/behaviour.md 3: numbers only, no personal data. */
export async function getStats(
  database: Database,
  { maskCount }: Pick<Brand, 'maskCount'>,
): Promise<Stats> {
  const { total, state, sizes, tallies } = await readStats(database, TOP_REFERRERS);
  const top = tallies.flatMap(({ referral_count: referrals, members }) =>
    Array.from({ length: Math.min(members, TOP_REFERRERS) }, () => ({ referrals })),
  );
  return {
    total_signups: total,
    available_masks: countAvailable(sizes, maskCount),
    top_referrers: top.slice(0, TOP_REFERRERS),
    ...(state !== 'open' && { drop: state }),
  };
}

const BATCHES = { maxBatchSize: 8192, maxInFlight: 1, maxWaiting: 8192, maxWaitMs: 5_000 };

/** The next read answers requests that arrive during one: no number is older than its request. */
export function openStatsReader(database: Database, brand: Pick<Brand, 'maskCount'>) {
  const batcher = openBatcher<null, Stats>({
    ...BATCHES,
    async runBatch(requests) {
      const stats = await getStats(database, brand);
      return requests.map(() => stats);
    },
  });
  return { getStats: () => batcher.submit(null), close: () => batcher.close() };
}

/** One read, drawn once, serves all pages that open meanwhile. */
export const FACES_FRESH_SECONDS = 5;

export function openFacesReader(
  database: Database,
  { maskCount }: Pick<Brand, 'maskCount'>,
  { coarsePaint }: Pick<BrandArt, 'coarsePaint'>,
): () => Promise<Faces> {
  const faces = keepAnswers<Faces>({ forMs: FACES_FRESH_SECONDS * 1000, maxKeys: 1 });
  return () =>
    faces('', async () => {
      const codes = await readFirstCodes(database, maskCount);
      return { faces: orderFaces(codes.map(coarsePaint)) };
    });
}

/**
 * Orders faces by their hashes. The order follows from the faces alone, so it tells nothing about
 * positions, and is the same on every server, before and after a move among the first.
 */
export function orderFaces(paints: readonly string[]): string[] {
  return paints
    .map((paint) => `${hash('sha256', paint)} ${paint}`)
    .toSorted()
    .map((hashed) => hashed.slice(hashed.indexOf(' ') + 1));
}
