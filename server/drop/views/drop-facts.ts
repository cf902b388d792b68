import type { GivenView } from '../../../contract/drop/drop-views.ts';
import {
  PUBLIC_RELAY,
  quicknetPath,
  timeOfRound,
} from '../../../contract/drop/randomness-rules.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { Database, Reader } from '../../db/database.ts';
import { isoRow } from '../../db/iso-time.ts';
import type { DropRow } from '../../db/schema/feature-tables.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { readTotal } from '../../line/store.ts';
import { Problem } from '../../problem.ts';
import { getDrop, readDrop, readNow } from '../drop-store.ts';
import { ALL_NOTIFIED, countDrawn, countEntrants, countWishes } from '../entrant-store.ts';
import { isQuiet } from '../offers/offer-rules.ts';
import { countOffers, countPasses, NO_OFFERS, readMailFlow } from '../offers/offer-store.ts';
import { listSizes } from '../stock/store.ts';
import { readChosen } from '../till/account-store.ts';
import { countEntries } from '../till/checkout-store.ts';

/** Reads one moment, so that its counts agree with each other. */
export function getDropFacts(database: Database): Promise<DropFacts> {
  return inSnapshot(database, (snapshot) => readFacts({ kysely: snapshot }));
}

async function readFacts(database: Reader): Promise<DropFacts> {
  const drop = await getDrop(database);
  const { number, time_zone, quiet_from, quiet_until, pay_hours, others_told_until: until } = drop;
  const { offering_at, paused_at } = isoRow(drop);
  const counts = await countOffers(database, number);
  const sizes = await listSizes(database);
  const { unmailed, is_down: isDown } = await readMailFlow(database);
  const waits = drop.paused_by ?? (isDown ? 'mail' : null);
  const terms = { minutes: drop.offer_minutes, time_zone, quiet_from, quiet_until, pay_hours };
  return {
    drop: viewDrop(drop),
    offering_at,
    members: await readTotal(database),
    entrants: await countEntrants(database, number),
    takes_cards: (await readChosen(database)).kind === 'stripe',
    cards: await viewCards(database, drop),
    wishes: await countWishes(database, number),
    ...(await countDrawn(database, number)),
    round: roundOf(drop),
    terms: offering_at === null ? null : terms,
    waits_for: drop.state === 'offering' ? waits : null,
    paused_at,
    unmailed,
    is_quiet: isQuiet(await readNow(database), drop),
    others: until === null ? 'untold' : until === ALL_NOTIFIED ? 'told' : 'being-told',
    sizes: sizes.map(({ name, available, held }) => ({
      ...NO_OFFERS,
      ...counts.get(name),
      size: name,
      available,
      held,
    })),
  };
}

async function viewCards(database: Reader, { number, enter_until: until }: DropRow) {
  if (until === null) return null;
  return { enter_until: until.toISOString(), ...(await countEntries(database, number)) };
}

export async function getGiven(database: Database, number: number): Promise<GivenView> {
  const drop = await readDrop(database, number);
  const announcement = drop?.announcement;
  if (!announcement) throw new Problem('not_found', `No draw of a drop ${number} is announced.`);
  const counts = await countOffers(database, number);
  const amendments = drop.amendments ?? [];
  const given = amendments.at(-1)?.masks ?? announcement.masks;
  return {
    sizes: given.map(({ size, masks }) => {
      const offers = counts.get(size) ?? NO_OFFERS;
      const { open, declined, expired, cancelled } = offers;
      const announced =
        announcement.masks.find((announcedSize) => announcedSize.size === size)?.masks ?? 0;
      const passes = countPasses(offers);
      return { size, announced, given: masks, open, passes, declined, expired, cancelled };
    }),
    amendments,
  };
}

function roundOf(drop: DropRow): DropFacts['round'] {
  const randomness = drop.announcement?.randomness;
  if (randomness?.source !== 'quicknet') return null;
  const { round } = randomness;
  return {
    public_at: new Date(timeOfRound(round)).toISOString(),
    url: PUBLIC_RELAY + quicknetPath(round),
  };
}

export function viewDrop(drop: DropRow): DropFacts['drop'] {
  const { number, state, frozen_at, list_hash, selected_at, closed_at, ...row } = isoRow(drop);
  const { announcement, announcement_hash } = row;
  const announced = { announcement, announcement_hash };
  return { number, state, frozen_at, list_hash, ...announced, selected_at, closed_at };
}
