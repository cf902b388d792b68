import { seedRandom } from '../../../brand/art/seeded-random.ts';
import { listTaking } from '../../../contract/drop/draw-order-rules.ts';
import type { Odds } from '../../../contract/drop/drop-views.ts';
import type { Database } from '../../db/database.ts';
import type { DropRow } from '../../db/schema/feature-tables.ts';
import { readEntered, readEntrants } from '../entrant-store.ts';
import { countDropOuts } from '../offers/offer-store.ts';
import { drawOdds } from './odds-rules.ts';

/** Offers change as often as they are swept. */
const CACHED_MS = 15_000;

type OddsByPosition = (position: number) => Odds | null;

const NONE: OddsByPosition = () => null;

/** The odds are cached, so that the page of a member costs no play. */
export function openOdds(database: Database): (drop: DropRow) => Promise<OddsByPosition> {
  let cached = { key: '', odds: Promise.resolve(NONE) };
  return async (drop) => {
    const isDrawn = drop.state === 'frozen' && drop.announcement_hash !== null;
    if (!isDrawn && drop.state !== 'offering') return NONE;
    const key = isDrawn ? drop.announcement_hash : Math.floor(Date.now() / CACHED_MS);
    if (cached.key !== `${drop.number} ${key}`) {
      const odds = (isDrawn ? readDrawOdds : readDropOuts)(database, drop);
      cached = { key: `${drop.number} ${key}`, odds };
      odds.catch(() => {
        cached.key = '';
      });
    }
    return await cached.odds;
  };
}

async function readDrawOdds(database: Database, drop: DropRow): Promise<OddsByPosition> {
  const { number, announcement } = drop;
  if (announcement === null) return NONE;
  const rows = await readEntrants(database, number);
  const all = rows.map((entrant) => ({ ...entrant, ticket: '' }));
  const entrants = listTaking({ entrants: all, ...(await readEntered(database, drop)) });
  // The same numbers every time, so that two servers tell the same odds.
  const { between } = seedRandom('odds');
  const { masks, among, odds } = drawOdds(entrants, announcement, () => between(0, 1));
  return (position) => {
    const share = odds.get(position) ?? 0;
    const kind = !odds.has(position) ? 'behind' : share === 1 ? 'by-rank' : 'draw';
    const weight = (kind === 'draw' && all[position - 1]?.weight) || null;
    return { kind, percent: Math.round(100 * share), masks, among, weight };
  };
}

/** Null before the time of any offer is over. How later offers go is unknown. */
async function readDropOuts(database: Database, { number }: DropRow): Promise<OddsByPosition> {
  const dropOuts = await countDropOuts(database, number);
  const unknown = { kind: 'return', percent: null, weight: null } as const;
  return dropOuts.among === 0 ? NONE : () => ({ ...unknown, ...dropOuts });
}
