import type { OwnerMailOptions } from '../../access/mail-owners.ts';
import type { Database } from '../../db/database.ts';
import { mayAct } from '../../db/possible-copy.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { MINUTE_MS } from '../../durations.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import type { Mail } from '../../notifications/open-mail.ts';
import { takeUntold } from '../entries/entry-store.ts';
import { giveToEntries } from '../entries/give-masks.ts';
import { lockDrop } from '../steps/drop-state.ts';
import { type DropRow, updateDrop } from '../steps/drop-store.ts';
import { sumHeld } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';
import { takeRunnersUp } from './notify-runners-up.ts';
import { isQuiet, shareOut, timesFromMail } from './offer-rules.ts';
import {
  expireOffers,
  insertOffers,
  type OfferRow,
  readLastWave,
  readNextEntrants,
  readNow,
  readSweep,
} from './offer-store.ts';
import { pauseAfterLeap, resumeOffers } from './pause-offers.ts';
import { mailAbout } from './settle-offer.ts';
import { markReminded, readMailFlow } from './times-store.ts';

type SweepOptions = { readonly database: Database; readonly mail: Pick<Mail, 'wake' | 'mayOffer'> };
type Options = SweepOptions &
  OwnerMailOptions & {
    readonly monotonic?: () => number;
  };

export const OFFERS_EVERY_MS = 1000;
/** A clock that was set, rather than two readings that a busy server took apart. */
const MAX_LEAP_MS = MINUTE_MS;
/** Entrants of a drop by card who are mailed in one transaction. */
const TOLD_AT_A_TIME = 500;

export function openOfferSweep({ monotonic = () => performance.now(), ...options }: Options) {
  const { database } = options;
  let last: { readonly clock: number; readonly at: number } | null = null;

  return async (): Promise<void> => {
    const { now, has_work: hasWork } = await readSweep(database);
    const reading = { clock: now.getTime(), at: monotonic() };
    const before = last ?? reading;
    last = reading;
    const leapMs = reading.clock - before.clock - (reading.at - before.at);
    if (!hasWork) return;
    if (Math.abs(leapMs) > MAX_LEAP_MS) {
      const pausedAt = new Date(before.clock);
      await pauseAfterLeap(options, { leapMs, pausedAt });
    } else await makeDueOffers(options);
  };
}

/** Makes offers and queues their mails in one transaction. Several servers may do so at once. */
export async function makeDueOffers({ database, mail }: SweepOptions): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const { made, reminded, runnersUp, entrants } = await makeOffers(transaction, mail);
    await mailAbout(transaction, 'offer', made);
    await mailAbout(transaction, 'offer-reminder', reminded);
    const notChosen = runnersUp.map((memberId) => ({ kind: 'not-chosen' as const, memberId }));
    await queueMails(transaction, notChosen);
    await queueMails(transaction, entrants);
  });
  mail.wake();
}

/** Does nothing while offering is paused, and makes no offers while no mail can leave. */
export async function makeOffers(
  transaction: Transaction,
  { mayOffer }: Pick<Mail, 'mayOffer'> = { mayOffer: true },
) {
  const nothing = { made: [], expired: [], reminded: [], runnersUp: [], entrants: [] };
  const drop = await lockDrop(transaction);
  if (drop.paused_by === 'copy' && (await mayAct({ kysely: transaction })))
    await resumeOffers(transaction, drop);
  if (drop.paused_at !== null) return nothing;
  const now = await readNow({ kysely: transaction });
  await updateDrop(transaction, drop.number, { swept_at: now });
  const expired = await expireOffers(transaction, now);
  const isEntered = drop.enter_until !== null && drop.state !== 'open' && drop.state !== 'closed';
  const isGiving = isEntered && (await giveToEntries(transaction, drop, now));
  if (isQuiet(now, drop)) return { ...nothing, expired };
  const reminded = await markReminded(transaction, now);
  const { is_down: isDown } = await readMailFlow({ kysely: transaction });
  const isMaking = mayOffer && !isDown && drop.state === 'offering' && !isGiving;
  const made = isMaking ? await makeWave(transaction, drop, now) : [];
  const entrants = isEntered ? await takeEntrants(transaction) : [];
  return { made, expired, reminded, entrants, runnersUp: await takeRunnersUp(transaction) };
}

async function takeEntrants(transaction: Transaction) {
  const mails = [];
  for (const kind of ['enter', 'enter-reminder'] as const)
    for (const memberId of await takeUntold(transaction, kind, TOLD_AT_A_TIME))
      mails.push({ kind, memberId, entry: true as const });
  return mails;
}

async function makeWave(transaction: Transaction, drop: DropRow, now: Date): Promise<OfferRow[]> {
  const { number, enter_until: until } = drop;
  const among = until === null ? 'all' : 'entered';
  const wave = (await readLastWave(transaction, number)) + 1;
  const made: OfferRow[] = [];
  for (;;) {
    const free = (await listSizes({ kysely: transaction })).filter(({ held }) => held > 0);
    if (free.length === 0) return made;
    const takers = await readNextEntrants(transaction, {
      number,
      among,
      sizes: free.map(({ name }) => name),
      limit: sumHeld(free),
    });
    if (takers.length === 0) return made;
    made.push(...(await offerTo(transaction, shareOut(takers, free), { drop, wave, now })));
  }
}

export async function offerTo(
  transaction: Transaction,
  shared: readonly { readonly taker: { readonly member_id: string }; readonly size: string }[],
  { drop, wave, now }: { readonly drop: DropRow; readonly wave: number; readonly now: Date },
): Promise<OfferRow[]> {
  const { expires_at } = timesFromMail(now, drop);
  const offers = shared.map(({ taker: { member_id }, size }) => {
    return { drop_number: drop.number, member_id, size, wave, offered_at: now, expires_at };
  });
  return await insertOffers(transaction, offers);
}
