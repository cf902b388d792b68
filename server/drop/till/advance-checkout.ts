/** One step of a checkout at the till: each decision is committed before the call that it needs. */
import type { ReleaseReason } from '../../../contract/drop/states.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, lock, type Transaction } from '../../db/transaction.ts';
import { HOUR_MS, MINUTE_MS } from '../../durations.ts';
import { queueMails } from '../../line/mails/store.ts';
import { awakeFrom, timeToRemind } from '../offers/offer-rules.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { tellsUnpaid } from './account-store.ts';
import {
  beginCheckout,
  type Checkout,
  type Entry,
  isTicket,
  NEVER,
  NEXT_ATTEMPT,
  sellInstead,
  updateCheckout,
  updateEntry,
} from './checkout-store.ts';
import { cancelPass, finishCheckout, settlePayment } from './settle-payment.ts';
import { type At, type FarCheckout, TillError } from './till.ts';

type Held = NonNullable<FarCheckout['hold']>;

/** Webhooks say at once what happens; without one it is seen so late. */
const POLL_MS = 5 * MINUTE_MS;
const POLL_HELD_MS = 6 * HOUR_MS;
const POLL_SALE_MS = 2 * MINUTE_MS;
/** Time to pay that is left at least once a till answers again. */
const LEFT_AFTER_OUTAGE_MS = HOUR_MS;
/** Reasons that only the member gave. */
const IS_ASKED: readonly (ReleaseReason | null)[] = ['withdrawn', null];

export async function advanceCheckout(at: At, checkout: Checkout | Entry): Promise<void> {
  await (checkout.is_entry ? advanceEntry(at, checkout) : advanceSale(at, checkout));
}

/** Makes the checkout of an attempt; null if another till sells meanwhile. */
async function createCheckout({ database, account, till }: At, checkout: Checkout | Entry) {
  const begun =
    checkout.ends_at === null
      ? await beginCheckout(database, checkout, {
          accountId: account.id,
          longestMs: till.longestMs,
        })
      : checkout;
  if (begun?.ends_at == null) return null;
  const { offer_id: offerId, member_id: memberId, attempt, email, is_entry: isEntry } = checkout;
  const { id: far_id, ...shown } = await till.create({
    offerId,
    memberId,
    email,
    key: `${offerId}/${attempt}`,
    size: isEntry ? null : begun.size,
    endsAt: begun.ends_at,
  });
  return { state: 'created' as const, far_id, ...shown };
}

async function advanceSale(at: At, checkout: Checkout): Promise<void> {
  const { database, account, till } = at;
  // Without payments that are told, no pass ends by itself.
  const isTold = tellsUnpaid(account);
  const { now, is_unplanned: hadNoLink } = checkout;
  const payBy = payByOf(checkout);
  const isOverdue = checkout.is_overdue && payBy <= now;
  const times = isTold && {
    pay_by: payBy,
    remind_at: timeToRemind(now, payBy, checkout),
  };
  const isLonger = payBy > checkout.pay_by;
  const isOwed = checkout.offer_state === 'accepted' && !(isOverdue && isTold);
  const goOn = () =>
    isOwed ? updateCheckout(database, checkout, NEXT_ATTEMPT) : finishCheckout(database, checkout);
  if (checkout.state === 'wanted') {
    if (checkout.ends_at === null && !isOwed) return await goOn();
    // Nobody ever had the link of an attempt whose answer was lost until its end.
    if (checkout.is_over) return await goOn();
    const made = await createCheckout(at, { ...checkout, pay_by: payBy });
    if (made === null) return;
    const change = { ...made, ...((hadNoLink || isLonger) && times) };
    return await updateCheckout(database, checkout, change);
  }
  const id = checkout.far_id ?? '';
  const isCurrent = isOwed && checkout.size === checkout.offer_size;
  const session = isCurrent ? await till.read(id) : await till.end(id);
  const payment = session.payment && { ...session.payment, offerId: checkout.offer_id };
  const settled = payment && (await settlePayment(database, account.id, payment));
  if (settled === 'kept') return await finishCheckout(database, checkout);
  // Its holder has paid, if not as the till wants it, and is not asked to pay again.
  if (settled === 'by_hand' && isOwed)
    return await updateCheckout(database, checkout, {}, POLL_SALE_MS);
  if (isOwed && isLonger && times) return await updateCheckout(database, checkout, times);
  if (isCurrent && session.state === 'open' && checkout.is_to_remind)
    return await inTransaction(database, async (transaction) => {
      const { offer_id: offerId, member_id: memberId } = checkout;
      await queueMails(transaction, [{ kind: 'pay-reminder', memberId, offerId }]);
      await updateCheckout({ kysely: transaction }, checkout, { remind_at: NEVER }, POLL_SALE_MS);
    });
  if (session.state === 'open' || session.state === 'pending')
    return await updateCheckout(database, checkout, {}, POLL_SALE_MS);
  await goOn();
}

/** The pay-by time, later for a holder who could not pay because the till was down. */
function payByOf({ now, pay_by, is_unplanned: hadNoLink, ...checkout }: Checkout): Date {
  const isAnsweredAgain = checkout.failures > 0;
  const leftMs = hadNoLink ? checkout.pay_hours * HOUR_MS : LEFT_AFTER_OUTAGE_MS;
  const least = isAnsweredAgain || (hadNoLink && pay_by <= now) ? now.getTime() + leftMs : 0;
  return awakeFrom(new Date(Math.max(pay_by.getTime(), least)), checkout);
}

async function advanceEntry(at: At, entry: Entry): Promise<void> {
  const { holds } = at.till;
  if (holds === undefined) throw new TillError('Only Stripe holds money on cards.');
  const { state, offer_state: pass } = entry;
  const id = entry.far_id ?? '';
  if (state === 'wanted') return await makeCheckout(at, entry);
  if (state === 'created') return await watchCheckout(at, entry);
  if (state === 'releasing') return await settleRelease(at, entry, await holds.release(id));
  if (pass === null) return await watchHold(at, entry, await at.till.read(id));
  if (pass === 'accepted') return await settleCapture(at, entry, await holds.capture(id));
  await updateEntry(at.database, entry, { state: 'releasing', why: 'undone', card: null });
}

const isWelcome = ({ drop_state, email, why, is_overdue: isOverdue, is_left_out }: Entry) =>
  drop_state === 'frozen' && email !== null && why === null && !isOverdue && !is_left_out;

async function makeCheckout(at: At, entry: Entry): Promise<void> {
  const { database, till } = at;
  if (!isWelcome(entry)) return void (await updateEntry(database, entry, { state: 'released' }));
  if (entry.is_over) return void (await updateEntry(database, entry, NEXT_ATTEMPT));
  const made = await createCheckout(at, entry);
  if (made === null) return;
  // Its member has left meanwhile: the checkout must be known to be ended.
  if (!(await updateEntry(database, entry, made))) await till.end(made.far_id);
}

async function watchCheckout(at: At, entry: Entry): Promise<void> {
  const { database, till } = at;
  const id = entry.far_id ?? '';
  const session = isWelcome(entry) ? await till.read(id) : await till.end(id);
  const { state, hold } = session;
  if (state === 'held' && hold) return await takeHold(database, entry, hold);
  if (state === 'open' || state === 'pending')
    return void (await updateEntry(database, entry, {}, POLL_MS));
  if (state === 'ended' && isWelcome(entry))
    return void (await updateEntry(database, entry, NEXT_ATTEMPT));
  await settleRelease(at, entry, session);
}

/** The first hold of a card is a ticket, if its member may still enter. */
async function takeHold(database: Database, entry: Entry, hold: Held): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lock(transaction, 'sizes');
    const why = await reasonAgainst(transaction, entry, hold);
    const { card, captureBefore: capture_before } = hold;
    const change =
      why === null
        ? { state: 'held' as const, card, capture_before }
        : { state: 'releasing' as const, why, card: null };
    const isTaken = await updateEntry(
      { kysely: transaction },
      entry,
      { ...change, link: null },
      why === null ? POLL_HELD_MS : 0,
    );
    if (!isTaken || why !== null) return;
    const { member_id: memberId } = entry;
    await queueMails(transaction, [{ kind: 'entered', memberId }]);
  });
}

async function reasonAgainst(
  transaction: Transaction,
  entry: Entry,
  { card, isPrepaid, cents, currency }: Held,
): Promise<ReleaseReason | null> {
  if (entry.why !== null || entry.email === null) return entry.why ?? 'withdrawn';
  if (entry.drop_state !== 'frozen' || entry.is_left_out) return 'not-drawn';
  if (cents !== entry.cents || currency.toLowerCase() !== entry.currency?.toLowerCase())
    return 'amount';
  if (card === null) return 'unknown';
  if (isPrepaid && entry.refuses_prepaid) return 'prepaid';
  return (await isTicket(transaction, entry, card)) ? 'duplicate' : null;
}

/** A hold that waits for the draw. */
async function watchHold(at: At, entry: Entry, session: FarCheckout): Promise<void> {
  if (session.state === 'held') {
    const before = session.hold?.captureBefore ?? entry.capture_before;
    const lapsesInMs = before === null ? POLL_HELD_MS : before.getTime() - entry.now.getTime();
    const waitMs = Math.max(POLL_MS, Math.min(POLL_HELD_MS, lapsesInMs + MINUTE_MS));
    return void (await updateEntry(at.database, entry, { capture_before: before }, waitMs));
  }
  await settleRelease(at, entry, session, 'lapsed');
}

async function settleRelease(
  { database, account }: At,
  entry: Entry,
  session: FarCheckout,
  found: ReleaseReason | null = null,
): Promise<void> {
  if (session.state === 'held') throw new TillError('Stripe did not release a hold.');
  if (session.state !== 'ended' && session.state !== 'paid')
    return void (await updateEntry(database, entry, {}, POLL_MS));
  // Somebody has captured it at Stripe: the payment waits for its owner.
  if (session.payment) await settlePayment(database, account.id, session.payment);
  const why = entry.why ?? (session.payment ? null : found);
  await inTransaction(database, async (transaction) => {
    const change = { state: 'released' as const, why, card: null, link: null };
    const isSettled = await updateEntry({ kysely: transaction }, entry, change);
    const hadHold = entry.state !== 'created';
    if (!isSettled || !hadHold || IS_ASKED.includes(why)) return;
    const { member_id: memberId } = entry;
    await queueMails(transaction, [{ kind: 'entry-over', memberId }]);
  });
}

/** The hold of a drawn member: its money is taken, or its mask passes on. */
async function settleCapture(
  { database, account }: At,
  entry: Entry,
  session: FarCheckout,
): Promise<void> {
  if (session.payment) {
    const payment = { ...session.payment, offerId: entry.offer_id };
    if ((await settlePayment(database, account.id, payment)) === 'kept') return;
  }
  if (session.state === 'pending') return void (await updateEntry(database, entry, {}, POLL_MS));
  await inTransaction(database, async (transaction) => {
    await lock(transaction, 'sizes');
    if (session.state === 'ended') {
      await sellInstead(transaction, entry);
      const { offer_id: id, member_id } = entry;
      return await mailAbout(transaction, 'pass', [{ id, member_id }]);
    }
    // A payment that pays no pass was captured by hand before the draw: its owner settles it.
    const why = session.payment ? null : 'refused';
    const change = { state: 'releasing', why, card: null } as const;
    const isRefused = await updateEntry({ kysely: transaction }, entry, change);
    if (isRefused) await cancelPass(transaction, entry.code ?? '');
  });
}
