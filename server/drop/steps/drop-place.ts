import type { DropPlaceView } from '../../../contract/drop/drop-views.ts';
import type { Database } from '../../db/database.ts';
import { getDrop } from './drop-state.ts';
import { readEntrant } from './drop-store.ts';
import { isMember } from './wish-store.ts';

/** Where a member stands in the last drop; null for an unknown member. */
export async function getDropPlace(
  database: Database,
  memberId: string,
): Promise<DropPlaceView | null> {
  if (!(await isMember(database, memberId))) return null;
  const drop = await getDrop(database);
  const entrant = await readEntrant(database, { number: drop.number, memberId });
  return {
    drop: drop.number,
    state: drop.state,
    position: entrant?.position ?? null,
    place: entrant?.draw_order ?? null,
    size: entrant?.chosen_size ?? null,
  };
}
