import type { Edition } from '../../../contract/drop/drop-views.ts';
import { isPass } from '../../../contract/drop/states.ts';
import type { Database } from '../../db/database.ts';
import { readOfferOf } from '../offers/offer-store.ts';
import { type DropRow, readDrop, readEntrant } from '../steps/drop-store.ts';

/** What a member may show of their pass. None of it changes, but for a size by an operator. */
export type PassView = {
  readonly drop: number;
  readonly size: string;
  /** On the frozen list. */
  readonly position: number;
  readonly edition: Edition | null;
};

/** The pass of the last drop that gave the member one, used or not; null without a pass. */
export async function getPass(database: Database, memberId: string): Promise<PassView | null> {
  const offer = await readOfferOf(database, memberId);
  if (offer === null || !isPass(offer.state)) return null;
  const { drop_number: number, size } = offer;
  const [drop, entrant] = await Promise.all([
    readDrop(database, number),
    readEntrant(database, { number, memberId }),
  ]);
  if (!drop?.announcement || !entrant) return null;
  return { drop: number, size, position: entrant.position, edition: editionOf(drop, entrant) };
}

/** Place in the draw order; null behind the announced masks, as the masks have no such number. */
export function editionOf(
  drop: DropRow,
  entrant: Awaited<ReturnType<typeof readEntrant>>,
): Edition | null {
  const number = entrant?.draw_order ?? Number.POSITIVE_INFINITY;
  const masks = drop.announcement?.masks.reduce((sum, one) => sum + one.masks, 0) ?? 0;
  return number <= masks ? { number, masks } : null;
}
