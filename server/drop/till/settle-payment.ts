import type { PaymentState } from '../../../contract/operator/drop/till.ts';
import type { Actor } from '../../access/actor.ts';
import { recordAccess, recordAudit } from '../../access/audit/record-audit.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import { inTransaction, lock, type Transaction } from '../../db/transaction.ts';
import { conflict, Problem } from '../../problem.ts';
import { hasRedeemed, updateOffer } from '../offers/offer-store.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { insertAddress } from '../passes/parcel-store.ts';
import { lockPass, nameOf, redeemPass, whoHas } from '../passes/passes.ts';
import { listSizes } from '../stock/store.ts';
import { type Checkout, lockOfferOfCheckout, updateCheckout } from './checkout-store.ts';
import { judgeAgain, judgePayment, type KnownPayment } from './payment-rules.ts';
import { insertPayment, lockPayment, oweByHand, updatePayment } from './payment-store.ts';
import type { Payment } from './till.ts';

const TILL: Actor = { kind: 'system', id: null, name: 'till' };

/** Settles a payment once, whoever reports it. */
export async function settlePayment(
  database: Database,
  accountId: string,
  payment: Payment,
): Promise<PaymentState> {
  const { id, offerId, reference, cents, currency } = payment;
  return await inTransaction(database, async (transaction) => {
    const seen = await lockPayment(transaction, id);
    if (seen === null) await lock(transaction, 'sizes');
    const stored = seen ?? (await lockPayment(transaction, id));
    if (stored !== null) return await noteAgain(transaction, stored, payment);
    const offer = offerId === null ? null : await lockOfferOfCheckout(transaction, offerId);
    const pass = offer && {
      ...offer,
      isSizeLeft: await isPaidSizeLeft(transaction, offer),
      isReferenceUsed: await hasRedeemed(transaction, reference),
    };
    const verdict = judgePayment(payment, pass);
    if (verdict.state === 'kept' && offer?.offer_state === 'accepted')
      await payPass(transaction, offer, payment);
    const inserted = await insertPayment(transaction, {
      id,
      account_id: accountId,
      offer_id: offer?.offer_id ?? null,
      reference,
      cents,
      currency,
      ...verdict,
    });
    return await noteAgain(transaction, inserted, payment);
  });
}

async function payPass(
  transaction: Transaction,
  offer: NonNullable<Awaited<ReturnType<typeof lockOfferOfCheckout>>>,
  { reference, address }: Payment,
): Promise<void> {
  const { member_id, code, size: paidSize } = offer;
  const size = paidSize ?? offer.offer_size;
  if (size !== offer.offer_size) await updateOffer(transaction, offer.offer_id, { size });
  await redeemPass(transaction, { code, order: reference });
  if (address) await insertAddress(transaction, { ...offer, address });
  await updateCheckout({ kysely: transaction }, offer, { state: 'paid', link: null });
  await recordAudit(transaction, {
    actor: TILL,
    action: 'redeem-pass',
    reason: null,
    subject: { kind: 'member', id: member_id },
    details: { summary: `A pass for a mask of size ${size} was paid at the till.`, reference },
  });
}

async function noteAgain(
  transaction: Transaction,
  known: KnownPayment,
  now: Payment,
): Promise<PaymentState> {
  const { cents, currency, refundedCents: refunded_cents, disputedCents: disputed_cents } = now;
  const verdict = judgeAgain(known, now);
  const state = verdict?.state ?? known.state;
  const change = {
    cents,
    currency,
    refunded_cents,
    disputed_cents,
    state,
    ...(verdict !== null && verdict.why !== null && { why: verdict.why }),
  };
  const waitMs = state === 'to_refund' ? 0 : undefined;
  await updatePayment({ kysely: transaction }, known.id, change, waitMs);
  return state;
}

/** A pass may get another size while its checkout is being paid: then the paid size counts. */
async function isPaidSizeLeft(transaction: Transaction, offer: Checkout): Promise<boolean> {
  if (offer.size === null || offer.size === offer.offer_size) return true;
  const sizes = await listSizes({ kysely: transaction });
  return sizes.some(({ name, available }) => name === offer.size && available > 0);
}

/** Ends an unpaid checkout, and with it a pass whose pay-by time is over. */
export async function finishCheckout(database: Database, checkout: Checkout): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lock(transaction, 'sizes');
    const offer = await lockOfferOfCheckout(transaction, checkout.offer_id);
    if (offer === null) return;
    const { offer_state: state, offer_size: size, is_overdue: isOverdue, member_id: id } = offer;
    if (state === 'accepted' && !isOverdue) return;
    const ended = state === 'accepted' ? 'expired' : 'cancelled';
    if (state === 'accepted') await cancelPass(transaction, offer.code);
    const last = offer.shop_order === null ? ended : 'paid';
    await updateCheckout({ kysely: transaction }, checkout, { state: last, link: null });
    if (state !== 'accepted') return;
    await mailAbout(transaction, 'pass-unpaid', [{ id: checkout.offer_id, member_id: id }]);
    const summary = `A pass for a mask of size ${size} ended, which was not paid in time.`;
    await recordAccess(transaction, TILL, 'end-pass', { kind: 'member', id }, summary);
  });
}

/** What the till cannot give back, or what moved there: the owner says how it was settled. */
export const settlePaymentOperation: Operation<'settle-payment'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { payment: id, note }) {
    const payment = await lockPayment(transaction, id);
    if (payment === null) throw new Problem('not_found', `There is no payment ${id}.`);
    const { state, reference, offer_id: offerId } = payment;
    if (state !== 'by_hand' && state !== 'to_refund')
      throw conflict('Only a payment that waits for you, or for its refund, can be settled.');
    const pass = offerId === null ? null : await lockOfferOfCheckout(transaction, offerId);
    const isWaiting = state === 'by_hand' && pass?.offer_state === 'accepted';
    const isOwed = isWaiting && !(await hasRedeemed(transaction, reference));
    // Its holder has paid: without this, the pass would end unpaid and keep the money.
    if (isOwed) await redeemPass(transaction, { code: pass.code, order: reference });
    await updatePayment({ kysely: transaction }, id, { state: 'settled', why: note });
    return {
      sentences: [
        `The payment ${reference} counts as settled elsewhere, and the till gives nothing back.`,
        ...(isOwed
          ? [
              'Its pass counts as paid by it, which the member is mailed. If you gave the money ' +
                'back, cancel the pass instead.',
            ]
          : []),
        ...(payment.is_pass_paid ? ['The pass that it pays stays, with its mask.'] : []),
      ],
      summary: `The payment ${reference} was settled elsewhere.`,
      subject: { kind: 'payment', id },
      details: { payment: id, note, pays_pass: isOwed },
    };
  },
};

/** Its mask goes to the next in the draw order, and its code stays dead. Throws conflict. */
export async function cancelPass(
  transaction: Transaction,
  code: string,
  order?: string,
): Promise<OfferRow> {
  await lock(transaction, 'sizes');
  const offer = await lockPass(transaction, code);
  if (offer.state === 'cancelled') throw conflict('This pass is cancelled already.');
  const isOfOrder = offer.state === 'paid' && offer.shop_order === order;
  if (order !== undefined && offer.state !== 'accepted' && !isOfOrder)
    throw conflict(whoHas(offer));
  await updateOffer(transaction, offer.id, { state: 'cancelled' });
  // With an order, the shop has cancelled it and given its money back.
  if (order === undefined && offer.shop_order !== null) await oweByHand(transaction, offer);
  return offer;
}

const TILL_GIVES_BACK =
  'What Stripe or Shopify took for it goes back by itself. What another shop took is listed ' +
  'under Money: give that back by hand.';

export const cancelPassOperation: Operation<'cancel-pass'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { code, note }) {
    const pass = await cancelPass(transaction, code);
    const { member_id: id, size, state, shop_order: order } = pass;
    await mailAbout(transaction, 'pass-cancelled', [pass], { note });
    const was = state === 'accepted' ? '' : `, which was ${nameOf(state)},`;
    const isGone = state === 'handed_over' || state === 'sent';
    return {
      sentences: [
        `The pass for a mask of size ${size}${was} is dead for good.`,
        ...(isGone ? [`Its mask was ${nameOf(state)}: cancel only once you have it back.`] : []),
        'While masks are offered, the next in the draw order is offered this one.',
        `The member is mailed why: ${note}`,
        ...(order === null ? [] : [TILL_GIVES_BACK]),
      ],
      summary: `A pass for a mask of size ${size}${was} was cancelled.`,
      subject: { kind: 'member', id },
      details: { size, order },
    };
  },
};
