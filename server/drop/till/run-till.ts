/** Notices only hurry this: the till is asked, so lost and repeated ones change nothing. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { HOUR_MS, MINUTE_MS } from '../../durations.ts';
import { logFailure } from '../../http/request-log.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import { Problem } from '../../problem.ts';
import { retryDelayMs } from '../../webhooks/retry-rules.ts';
import { awakeFrom, timeToRemind } from '../offers/offer-rules.ts';
import type { OpenTill, Tills } from './open-tills.ts';
import { finishCheckout, settlePayment } from './settle-payment.ts';
import { type Till, TillError } from './till.ts';
import {
  beginCheckout,
  type Checkout,
  claimCheckouts,
  claimComparison,
  claimRefunds,
  NEVER,
  readLive,
  settleComparison,
  updateCheckout,
  updatePayment,
} from './till-store.ts';

type Options = {
  readonly database: Database;
  readonly tills: Tills;
  readonly log: FastifyBaseLogger;
};

const AT_ONCE = 4;
const RUN_FOR_MS = 3_000;
const POLL_MS = 2 * MINUTE_MS;
const COMPARE_EVERY_MS = 5 * MINUTE_MS;
/** Stripe holds a checkout open for half an hour at least. */
const SHORTEST_MS = 31 * MINUTE_MS;
/** An opened checkout that no pass has is ended then: until then its creation may be under way. */
const STRAY_AFTER_MS = 2 * MINUTE_MS;
/** Time to pay that is left at least once a till answers again. */
const LEFT_AFTER_OUTAGE_MS = HOUR_MS;

export async function runTill({ database, tills, log }: Options): Promise<void> {
  const until = performance.now() + RUN_FOR_MS;
  let opened: Promise<OpenTill> | null = null;
  async function open(): Promise<Till> {
    opened ??= tills.current();
    return (await opened).till;
  }

  async function attempt(work: (till: Till) => Promise<void>, before = 0): Promise<Failure | null> {
    try {
      await work(await open());
      return null;
    } catch (error) {
      logFailure(log, error instanceof TillError ? 'warn' : 'error', error, 'the till failed');
      return failureOf(error, before + 1);
    }
  }

  async function onCheckout(checkout: Checkout): Promise<void> {
    const failed = await attempt((till) => advance(database, till, checkout), checkout.failures);
    if (failed === null) return;
    const { waitMs, isAnswer, ...change } = failed;
    const isRefused = isAnswer && checkout.state === 'wanted';
    const again = isRefused ? nextAttempt(checkout) : {};
    await updateCheckout(database, checkout, { ...change, ...again }, waitMs);
  }

  async function onRefund({ id, failures }: { id: string; failures: number }): Promise<void> {
    // A whole refund happens once by itself, and an answered error is repeated for its key.
    const key = `refund/${id}/${failures}`;
    const failed = await attempt((till) => till.refund({ id, key }), failures);
    if (failed === null) return await updatePayment(database, id, { state: 'refunded' });
    const { waitMs, isAnswer: _, ...change } = failed;
    await updatePayment(database, id, change, waitMs);
  }

  while (performance.now() < until) {
    const checkouts = await claimCheckouts(database, AT_ONCE);
    const refunds = await claimRefunds(database, AT_ONCE);
    if (checkouts.length + refunds.length === 0) break;
    await Promise.all([...checkouts.map(onCheckout), ...refunds.map(onRefund)]);
  }
  const since = await claimComparison(database, COMPARE_EVERY_MS);
  if (since === null) return;
  const failed = await attempt((till) => compareSales(database, till, since));
  await settleComparison(database, failed?.failure ?? null);
}

type Failure = Pick<Checkout, 'failures'> & {
  readonly failure: string;
  readonly waitMs: number;
  readonly isAnswer: boolean;
};

function failureOf(error: unknown, failures: number): Failure {
  const pauseMs = Math.min(MINUTE_MS, retryDelayMs(failures, Math.random()));
  if (error instanceof TillError) {
    const { message: failure, isAnswer, retryAfterMs } = error;
    return { failures, failure, isAnswer, waitMs: Math.max(pauseMs, retryAfterMs ?? 0) };
  }
  const failure = error instanceof Problem ? error.detail : 'Something went wrong on our side.';
  return { failures, failure, isAnswer: false, waitMs: pauseMs };
}

async function advance(database: Database, till: Till, checkout: Checkout): Promise<void> {
  const { now, is_unplanned: hadNoLink } = checkout;
  const payBy = payByOf(checkout);
  const isOverdue = checkout.is_overdue && payBy <= now;
  const times = till.tellsUnpaid && {
    pay_by: payBy,
    remind_at: timeToRemind(now, payBy, checkout),
  };
  const isLonger = payBy > checkout.pay_by;
  const isOwed = checkout.offer_state === 'accepted' && !(isOverdue && till.tellsUnpaid);
  const goOn = () =>
    isOwed
      ? updateCheckout(database, checkout, nextAttempt(checkout))
      : finishCheckout(database, checkout);
  if (checkout.state === 'wanted') {
    if (checkout.size === null && !isOwed) return await goOn();
    // Nobody ever had the link of an attempt whose answer was lost until its end.
    if (checkout.is_over) return await goOn();
    const { longestMs } = till;
    const wanted = { ...checkout, pay_by: payBy };
    const begun =
      checkout.size === null
        ? await beginCheckout(database, wanted, { shortestMs: SHORTEST_MS, longestMs })
        : checkout;
    if (begun?.size == null || begun.ends_at === null) return;
    const { offer_id: offerId, member_id: memberId, attempt, email } = checkout;
    const { id, link } = await till.create({
      ...{ offerId, memberId, email, key: `${offerId}/${attempt}` },
      ...{ size: begun.size, endsAt: begun.ends_at },
    });
    const made = { state: 'created' as const, far_id: id, link };
    const change = { ...made, ...((hadNoLink || isLonger) && times) };
    return await updateCheckout(database, checkout, change);
  }
  const id = checkout.far_id ?? '';
  const isCurrent = isOwed && checkout.size === checkout.offer_size;
  const far = isCurrent ? await till.read(id) : await till.end(id);
  if (far.payment !== null && (await settlePayment(database, far.payment))) return;
  if (isOwed && isLonger && times) return await updateCheckout(database, checkout, times);
  if (isCurrent && far.state === 'open' && checkout.is_to_remind)
    return await inTransaction(database, async (transaction) => {
      const { offer_id: offerId, member_id: memberId } = checkout;
      await queueMails(transaction, [{ kind: 'pay-reminder', memberId, offerId }]);
      await updateCheckout({ kysely: transaction }, checkout, { remind_at: NEVER }, POLL_MS);
    });
  if (far.state === 'open' || far.state === 'pending')
    return await updateCheckout(database, checkout, {}, POLL_MS);
  await goOn();
}

/** The pay-by time, later for a holder who could not pay because the till was down. */
function payByOf({ now, pay_by, is_unplanned: hadNoLink, ...checkout }: Checkout): Date {
  const isAnsweredAgain = checkout.failures > 0;
  const leftMs = hadNoLink ? checkout.pay_hours * HOUR_MS : LEFT_AFTER_OUTAGE_MS;
  const least = isAnsweredAgain || (hadNoLink && pay_by <= now) ? now.getTime() + leftMs : 0;
  return awakeFrom(new Date(Math.max(pay_by.getTime(), least)), checkout);
}

/** Settles sales that no checkout showed, and ends checkouts that are open for nobody. */
async function compareSales(database: Database, till: Till, since: Date): Promise<void> {
  const { checkouts, payments } = await till.list(since);
  for (const payment of payments) await settlePayment(database, payment);
  const before = Date.now() - STRAY_AFTER_MS;
  const live = await readLive(
    database,
    checkouts.map(({ id }) => id),
  );
  for (const { id, offerId, state, createdAt } of checkouts) {
    if (offerId === null || state !== 'open' || live.has(id) || createdAt.getTime() > before)
      continue;
    const { payment } = await till.end(id);
    if (payment !== null) await settlePayment(database, payment);
  }
}

function nextAttempt({ attempt }: Pick<Checkout, 'attempt'>) {
  return {
    ...{ state: 'wanted' as const, attempt: attempt + 1, size: null, ends_at: null },
    ...{ far_id: null, link: null },
  };
}
