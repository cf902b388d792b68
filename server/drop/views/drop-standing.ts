import type { Brand } from '../../../brand/brand-shape.ts';
import type { DropPlaceView } from '../../../contract/drop/drop-views.ts';
import { standingWords, withOdds } from '../../../contract/drop/standing-words.ts';
import { writeDay } from '../../../contract/friend-words.ts';
import type { Database } from '../../db/database.ts';
import { readPause } from '../../line/changes/change-store.ts';
import { viewEntry } from '../entries/get-entries.ts';
import { openOdds } from '../odds/odds.ts';
import { readReach } from '../odds/odds-store.ts';
import { describeEnd } from '../offers/offer-rules.ts';
import { type DatedOffer, readOfferOf } from '../offers/offer-store.ts';
import { getNextFreeze } from '../schedule/schedule.ts';
import { drawHashOf, getDrop } from '../steps/drop-state.ts';
import { readEntrant } from '../steps/drop-store.ts';
import { editionOf } from './pass-view.ts';

export type DropStanding = {
  readonly place: DropPlaceView;
  /** The offer in this drop; `until` is its end as text in the drop's time zone. */
  readonly offer:
    | (Pick<DatedOffer, 'state' | 'size' | 'refund'> & { readonly until: string })
    | null;
  /** The day in the drop's time zone; null unless the site shows it. */
  readonly freezesOn: string | null;
};

export function openDropStandings(database: Database, { language }: Pick<Brand, 'language'>) {
  const getPlace = openDropPlaces(database, { language });
  return async (memberId: string): Promise<DropStanding | null> => {
    const [place, offer, drop, freeze] = await Promise.all([
      getPlace(memberId),
      readOfferOf(database, memberId),
      getDrop(database),
      getNextFreeze(database),
    ]);
    if (place === null) return null;
    const freezesOn = freeze.publicAt && writeDay(freeze.publicAt, language, drop.time_zone);
    if (offer === null || offer.drop_number !== place.drop)
      return { place, offer: null, freezesOn };
    const { size, state, refund, ends_at: expiresAt } = offer;
    const until = describeEnd({ expiresAt, timeZone: drop.time_zone }, language);
    return { place, offer: { state, size, refund, until }, freezesOn };
  };
}

export function openDropPlaces(database: Database, { language }: Pick<Brand, 'language'>) {
  const readOdds = openOdds(database);
  return async (memberId: string): Promise<DropPlaceView | null> => {
    const [reach] = await readReach(database, [memberId]);
    if (reach === undefined) return null;
    const drop = await getDrop(database);
    const entrant = await readEntrant(database, { number: drop.number, memberId });
    const own = entrant && (await viewEntry(database, memberId, language));
    const isIn = own === null || own.entry.state === 'held';
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
    const words = own === null ? standingWords(place) : withOdds(own.words, odds);
    return { ...place, words, card_entry: own?.entry ?? null };
  };
}
