import type { Brand } from '../../../brand/brand-shape.ts';
import { standingWords, withOdds } from '../../../brand/drop-words.ts';
import type { DropPlaceView, Edition } from '../../../contract/drop/drop-views.ts';
import { stateOf } from '../../../contract/drop/place-states.ts';
import { isPass } from '../../../contract/drop/states.ts';
import { weightWords } from '../../../contract/drop/weight-rules.ts';
import { writeDay } from '../../../contract/friend-words.ts';
import type { Database } from '../../db/database.ts';
import type { DropRow } from '../../db/schema/feature-tables.ts';
import { readPause } from '../../line/changes/change-store.ts';
import { drawHashOf, getDrop, readDrop } from '../drop-store.ts';
import { readEntrant, readReach } from '../entrant-store.ts';
import { describeEnd } from '../offers/offer-rules.ts';
import { type DatedOffer, readOfferOf } from '../offers/offer-store.ts';
import { getNextFreeze } from '../schedule/schedule.ts';
import { viewEntry } from '../till/entries.ts';
import { openOdds } from './odds.ts';

/** What the status page without script says of the present drop. */
export type DropStanding = Pick<DropPlaceView, 'drop' | 'state'> & {
  /** The offer in this drop; `until` is its end as text in the drop's time zone. */
  readonly offer: (Pick<DatedOffer, 'state' | 'size'> & { readonly until: string }) | null;
  /** The day in the drop's time zone; null unless the site shows it. */
  readonly freezesOn: string | null;
};

export async function getDropStanding(
  database: Database,
  memberId: string,
  language: string,
): Promise<DropStanding> {
  const [offer, { number, state, time_zone: timeZone }, freeze] = await Promise.all([
    readOfferOf(database, memberId),
    getDrop(database),
    getNextFreeze(database),
  ]);
  const freezesOn = freeze.publicAt && writeDay(freeze.publicAt, language, timeZone);
  const standing = { drop: number, state, freezesOn };
  if (offer === null || offer.drop_number !== number) return { ...standing, offer: null };
  const until = describeEnd({ expiresAt: offer.ends_at, timeZone }, language);
  return { ...standing, offer: { state: offer.state, size: offer.size, until } };
}

export function openDropPlaces(database: Database, { language }: Pick<Brand, 'language'>) {
  const readOdds = openOdds(database);
  return async (memberId: string): Promise<DropPlaceView | null> => {
    const [reach] = await readReach(database, [memberId]);
    if (reach === undefined) return null;
    const drop = await getDrop(database);
    const entrant = await readEntrant(database, { number: drop.number, memberId });
    const entry = entrant && (await viewEntry(database, memberId, language));
    const isIn = entry === null || entry.entry.state === 'held';
    const isUndecided = drop.state === 'frozen' ? isIn : reach.canReturn;
    const odds = entrant && isUndecided ? (await readOdds(drop))(entrant.position) : null;
    const place = {
      drop: drop.number,
      state: drop.state,
      position: entrant?.position ?? null,
      place: entrant?.draw_order ?? null,
      size: entrant?.chosen_size ?? null,
      edition: editionOf(drop, entrant),
      hash: drawHashOf(drop),
      odds,
      can_return: reach.canReturn,
      is_mailed: reach.isMailed,
      is_paused: (await readPause(database.kysely)) !== null,
    };
    const words =
      entry === null
        ? standingWords(stateOf(place, null), place, weightWords)
        : withOdds(entry.words, odds, weightWords);
    return { ...place, words, card_entry: entry?.entry ?? null };
  };
}

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
function editionOf(
  drop: DropRow,
  entrant: Awaited<ReturnType<typeof readEntrant>>,
): Edition | null {
  const number = entrant?.draw_order ?? Number.POSITIVE_INFINITY;
  const masks = drop.announcement?.masks.reduce((sum, size) => sum + size.masks, 0) ?? 0;
  return number <= masks ? { number, masks } : null;
}
