import { isPass } from '../../../contract/drop/states.ts';
import type { Actor } from '../../access/actor.ts';
import { recordAudit } from '../../changes/audit/record-audit.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, lock, type Transaction } from '../../db/transaction.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import { insertAddress } from '../hand-over/parcel-store.ts';
import { updateOffer } from '../offers/offer-store.ts';
import { cancelPass, redeemPass } from '../offers/passes.ts';
import { listSizes } from '../stock/store.ts';
import type { Payment } from './till.ts';
import {
  type Checkout,
  insertPayment,
  lockOfferOfCheckout,
  returnPayment,
  updateCheckout,
} from './till-store.ts';

const TILL: Actor = { kind: 'system', id: null, name: 'till' };

/** Settles a payment once, whoever reports it. Returns whether it pays its pass. */
export async function settlePayment(database: Database, payment: Payment): Promise<boolean> {
  const { id, offerId, reference, cents, currency, isRefunded, address } = payment;
  return await inTransaction(database, async (transaction) => {
    if (offerId !== null) await lock(transaction, 'sizes');
    const offer = offerId === null ? null : await lockOfferOfCheckout(transaction, offerId);
    const isOwed =
      offer?.offer_state === 'accepted' &&
      !isRefunded &&
      (await isPaidSizeLeft(transaction, offer));
    const { state, why } = isOwed ? PAYS : judge(offer, isRefunded);
    const isNew = await insertPayment(transaction, {
      ...{ id, offer_id: offer?.offer_id ?? null, reference, cents, currency, state, why },
    });
    if (!isNew && isRefunded) await returnPayment({ kysely: transaction }, id, RETURNED.why);
    if (offer?.shop_order === reference) return true;
    if (!isNew || offer === null || !isOwed) return false;
    const { member_id, code, size: paidSize } = offer;
    const size = paidSize ?? offer.offer_size;
    if (size !== offer.offer_size) await updateOffer(transaction, offer.offer_id, { size });
    await redeemPass(transaction, { code, order: reference });
    if (address) await insertAddress(transaction, { ...offer, address });
    await updateCheckout({ kysely: transaction }, offer, { state: 'paid', link: null });
    await recordAudit(transaction, {
      ...{ actor: TILL, action: 'redeem-pass', reason: null },
      subject: { kind: 'member', id: member_id },
      details: { summary: `A pass for a mask of size ${size} was paid at the till.`, reference },
    });
    return true;
  });
}

const PAYS = { state: 'kept', why: null } as const;
const RETURNED = { state: 'refunded', why: 'It was given back at the till.' } as const;

function judge(offer: Pick<Checkout, 'offer_state'> | null, isRefunded: boolean) {
  if (isRefunded) return RETURNED;
  if (offer === null) return { state: 'foreign', why: 'No checkout of a member took it.' } as const;
  const isTwice = isPass(offer.offer_state);
  const ended = isTwice ? 'The pass was paid already.' : 'The pass had ended before it was paid.';
  const why = offer.offer_state === 'accepted' ? 'No mask of the paid size is left.' : ended;
  return { state: 'to_refund', why } as const;
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
    await updateCheckout({ kysely: transaction }, checkout, {
      ...{ state: offer.shop_order === null ? ended : 'paid', link: null },
    });
    if (state !== 'accepted') return;
    const offerId = checkout.offer_id;
    await queueMails(transaction, [{ kind: 'pass-unpaid', memberId: id, offerId }]);
    await recordAudit(transaction, {
      ...{ actor: TILL, action: 'end-pass', subject: { kind: 'member', id }, reason: null },
      details: { summary: `A pass for a mask of size ${size} ended, which was not paid in time.` },
    });
  });
}
