/** Notices only hurry this: the till is asked, so lost and repeated ones change nothing. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/database.ts';
import { MINUTE_MS } from '../../durations.ts';
import { logFailure } from '../../http/request-log.ts';
import { Problem } from '../../problem.ts';
import { retryDelayMs } from '../../retry-delay-rules.ts';
import { claimComparison, keepCost, settleComparison } from './account-store.ts';
import { advanceCheckout } from './advance-checkout.ts';
import {
  type Checkout,
  claimCheckouts,
  type Entry,
  NEXT_ATTEMPT,
  readStrays,
  updateCheckout,
} from './checkout-store.ts';
import type { Tills } from './open-tills.ts';
import type { KnownPayment } from './payment-rules.ts';
import { claimPayments, updatePayment } from './payment-store.ts';
import { settlePayment } from './settle-payment.ts';
import { type At, type Payment, TillError } from './till.ts';

type Options = {
  readonly database: Database;
  readonly tills: Tills;
  readonly log: FastifyBaseLogger;
};

const AT_ONCE = 4;
const RUN_FOR_MS = 3_000;
const COMPARE_EVERY_MS = 5 * MINUTE_MS;
/** An opened checkout that no pass has is ended then: until then its creation may be under way. */
const STRAY_AFTER_MS = 2 * MINUTE_MS;

export async function runTill({ database, tills, log }: Options): Promise<void> {
  const until = performance.now() + RUN_FOR_MS;

  /** The work is done at the account, or at the one that sells now. */
  async function attempt(
    accountId: string | null,
    work: (at: At) => Promise<void>,
    before = 0,
  ): Promise<Failure | null> {
    try {
      const accounts = await tills.accounts();
      const account = accounts.find(({ id, is_chosen }) =>
        accountId ? id === accountId : is_chosen,
      );
      if (account === undefined) throw new Error(`There is no account ${accountId}.`);
      await work({ database, account, till: await tills.open(account) });
      return null;
    } catch (error) {
      logFailure(log, error instanceof TillError ? 'warn' : 'error', error, 'the till failed');
      return failureOf(error, before + 1);
    }
  }

  async function onCheckout(checkout: Checkout | Entry): Promise<void> {
    const { account_id: accountId, failures, state } = checkout;
    const failed = await attempt(accountId, (at) => advanceCheckout(at, checkout), failures);
    if (failed === null) return;
    const again = failed.isAnswer && state === 'wanted' ? NEXT_ATTEMPT : {};
    await updateCheckout(database, checkout, { ...failed.change, ...again }, failed.waitMs);
  }

  async function onPayment({ id, account_id, state, failures }: KnownPayment): Promise<void> {
    const isOwed = state === 'to_refund';
    const work = async ({ till }: At) => {
      // An answered error is repeated for its key.
      if (isOwed) await till.refund({ id, key: `refund/${id}/${failures}` });
      await settlePayment(database, account_id, await till.readPayment(id));
    };
    const failed = await attempt(account_id, work, failures);
    if (failed === null) return;
    const { change, isFinal, waitMs } = failed;
    const byHand = { state: 'by_hand' as const, why: `Give it back by hand. ${change.failure}` };
    if (isOwed && !isFinal) return await updatePayment(database, id, change, waitMs);
    await updatePayment(database, id, isOwed ? byHand : change);
  }

  while (performance.now() < until) {
    const checkouts = await claimCheckouts(database, AT_ONCE);
    const payments = await claimPayments(database, AT_ONCE);
    if (checkouts.length + payments.length === 0) break;
    await Promise.all([...checkouts.map(onCheckout), ...payments.map(onPayment)]);
  }
  const due = await claimComparison(database, COMPARE_EVERY_MS);
  if (due === null) return;
  const failed = await attempt(due.id, (at) => compareSales(at, due.since));
  await settleComparison(database, due.id, failed?.change.failure ?? null);
}

type Failure = ReturnType<typeof failureOf>;

function failureOf(error: unknown, failures: number) {
  const pauseMs = Math.min(MINUTE_MS, retryDelayMs(failures, Math.random()));
  const ofTill = error instanceof TillError ? error : null;
  const ofUs = error instanceof Problem ? error.detail : 'Something went wrong on our side.';
  return {
    change: { failures, failure: ofTill?.message ?? ofUs },
    isAnswer: ofTill?.isAnswer ?? false,
    isFinal: ofTill?.isFinal ?? false,
    waitMs: Math.max(pauseMs, ofTill?.retryAfterMs ?? 0),
  };
}

/** Settles sales that no checkout showed, and ends checkouts that are open for nobody. */
async function compareSales({ database, account, till }: At, since: Date): Promise<void> {
  const { checkouts, payments } = await till.list(since);
  const before = Date.now() - STRAY_AFTER_MS;
  const open = checkouts.filter(
    ({ state, createdAt }) =>
      (state === 'open' || state === 'held') && createdAt.getTime() <= before,
  );
  const failures: unknown[] = [];
  async function settleEach(found: readonly Payment[]): Promise<void> {
    for (const payment of found)
      await settlePayment(database, account.id, payment).catch((error) => failures.push(error));
  }
  await settleEach(payments);
  const ids = open.map(({ id }) => id);
  for (const id of await readStrays(database, ids)) {
    const isHeld = open.some((entry) => entry.id === id && entry.state === 'held');
    const end = isHeld && till.holds ? till.holds.release : till.end;
    const ended = await end(id).catch((error) => void failures.push(error));
    await settleEach(ended?.payment ? [ended.payment] : []);
  }
  await keepCost(database, account.id, await till.readCost());
  // One that cannot be settled or ended keeps no other one from it, and is tried again.
  if (failures.length > 0) throw failures[0];
}
