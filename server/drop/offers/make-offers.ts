/** Starts offering, and what follows by itself: offers that are made, reminded of, and end. */
import type { Database } from '../../db/database.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { lockDropIn } from '../steps/drop-state.ts';
import { type DropRow, readLockedDrop, updateDrop } from '../steps/drop-store.ts';
import type { MaskSize } from '../stock/mask-size.ts';
import { readSizes } from '../stock/store.ts';
import { assertTimeZone } from '../time-zone.ts';
import { countCodes } from './code-store.ts';
import { isQuiet, isTimeOfDay, shareOut } from './offer-rules.ts';
import {
  expireOffers,
  hasWork,
  insertOffers,
  markReminded,
  type OfferRow,
  readLastWave,
  readNextEntrants,
  readNow,
} from './offer-store.ts';
import { takeOthers } from './tell-others.ts';

export type { OfferRow };

const MINUTE_MS = 60_000;

export type OfferTerms = {
  readonly minutes: number;
  readonly timeZone: string;
  /** "22:00"; null: no quiet hours. */
  readonly quietFrom: string | null;
  readonly quietUntil: string | null;
};

/** What a look at the offers changed. */
export type OfferRound = {
  /** Members who are told that no mask came to them. */
  readonly others: readonly string[];
  readonly made: readonly OfferRow[];
  readonly expired: readonly OfferRow[];
  readonly reminded: readonly OfferRow[];
};

/** Fixes how long offers stand. Makes none yet: that is done by `makeOffers`. Throws Problem. */
export async function startOffers(
  transaction: Transaction,
  { minutes, timeZone, quietFrom, quietUntil }: OfferTerms,
): Promise<{ readonly number: number; readonly available: number }> {
  assertQuietHours(timeZone, quietFrom, quietUntil);
  const { number } = await lockDropIn(transaction, 'selected');
  const available = sumAvailable(await readSizes({ kysely: transaction }));
  const codes = await countCodes({ kysely: transaction });
  if (codes.imported > 0 && codes.free < available)
    throw new Problem(
      'conflict',
      `${available} masks are available, and only ${codes.free} codes of the shop are left: ` +
        'import more first.',
    );
  await updateDrop(transaction, number, {
    state: 'offering',
    offering_at: await readNow({ kysely: transaction }),
    offer_minutes: minutes,
    time_zone: timeZone,
    quiet_from: quietFrom,
    quiet_until: quietUntil,
  });
  await markDone(transaction, number, 'start-offers');
  return { number, available };
}

/**
 * Ends offers whose time is over, offers free masks to the next in the draw order, and notes for
 * which offers a reminder is due. Nobody is offered a mask or reminded in the quiet hours.
 */
export async function makeOffers(transaction: Transaction): Promise<OfferRound> {
  const drop = await readLockedDrop(transaction);
  const now = await readNow({ kysely: transaction });
  const expired = await expireOffers(transaction, now);
  const others: string[] = [];
  const { time_zone: timeZone, quiet_from: from, quiet_until: until } = drop;
  if (isQuiet(now, { timeZone, from, until })) return { made: [], expired, reminded: [], others };
  const reminded = await markReminded(transaction, now);
  const made = drop.state === 'offering' ? await makeWave(transaction, drop, now) : [];
  others.push(...(await takeOthers(transaction)));
  return { made, expired, reminded, others };
}

/**
 * The same in a transaction of its own, with what follows from it. Any number of servers may do so
 * at once. Returns null when there was nothing to look at.
 */
export async function sweepOffers(
  database: Database,
  follow: (transaction: Transaction, round: OfferRound) => Promise<void>,
): Promise<OfferRound | null> {
  if (!(await hasWork(database))) return null;
  return await inTransaction(database, async (transaction) => {
    const round = await makeOffers(transaction);
    await follow(transaction, round);
    return round;
  });
}

async function makeWave(transaction: Transaction, drop: DropRow, now: Date): Promise<OfferRow[]> {
  const { number, offer_minutes: minutes } = drop;
  const wave = (await readLastWave(transaction, number)) + 1;
  const expiresAt = new Date(now.getTime() + minutes * MINUTE_MS);
  const made: OfferRow[] = [];
  for (;;) {
    const free = (await readSizes({ kysely: transaction })).filter(
      ({ available }) => available > 0,
    );
    if (free.length === 0) return made;
    const takers = await readNextEntrants(transaction, {
      number,
      sizes: free.map(({ name }) => name),
      limit: sumAvailable(free),
    });
    if (takers.length === 0) return made;
    const offers = shareOut(takers, free).map(({ taker, size }) => ({
      drop_number: number,
      member_id: taker.member_id,
      size,
      wave,
      offered_at: now,
      expires_at: expiresAt,
    }));
    made.push(...(await insertOffers(transaction, offers)));
  }
}

function sumAvailable(sizes: readonly Pick<MaskSize, 'available'>[]): number {
  return sizes.reduce((sum, { available }) => sum + Math.max(0, available), 0);
}

function assertQuietHours(timeZone: string, from: string | null, until: string | null): void {
  if ((from === null) !== (until === null))
    throw new Problem('invalid_field', 'Quiet hours need both a beginning and an end.');
  for (const time of [from, until])
    if (time !== null && !isTimeOfDay(time))
      throw new Problem('invalid_field', 'Quiet hours are times such as 22:00.');
  assertTimeZone(timeZone);
}
