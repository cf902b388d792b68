import type { Database } from '../../db/database.ts';
import { readOfferOf } from '../offers/offer-store.ts';
import { announcementOf } from '../steps/drop-state.ts';
import { readDrop, readEntrant } from '../steps/drop-store.ts';

/** What a member may show of their pass. None of it changes, but for a size by an operator. */
export type PassView = {
  readonly drop: number;
  readonly size: string;
  /** On the frozen list. */
  readonly position: number;
  /** Place in the draw order; null behind the announced masks, as the masks have no such number. */
  readonly edition: { readonly number: number; readonly masks: number } | null;
};

/** The pass of the last drop that gave the member one, used or not; null without a pass. */
export async function getPass(database: Database, memberId: string): Promise<PassView | null> {
  const offer = await readOfferOf(database, memberId);
  if (offer?.state !== 'accepted' && offer?.state !== 'redeemed') return null;
  const { drop_number: number, size } = offer;
  const [drop, entrant] = await Promise.all([
    readDrop(database, number),
    readEntrant(database, { number, memberId }),
  ]);
  const announcement = drop && announcementOf(drop);
  if (!announcement || !entrant) return null;
  const masks = announcement.masks.reduce((sum, one) => sum + one.masks, 0);
  const place = entrant.draw_order ?? Number.POSITIVE_INFINITY;
  const edition = place <= masks ? { number: place, masks } : null;
  return { drop: number, size, position: entrant.position, edition };
}
