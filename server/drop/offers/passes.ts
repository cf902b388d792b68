import { randomUUID } from 'node:crypto';
import type { Operation } from '../../changes/operation.ts';
import { lock, type Transaction } from '../../db/transaction.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import { Problem } from '../../problem.ts';
import { findSize } from '../stock/mask-problems.ts';
import { readLockedSizes } from '../stock/store.ts';
import {
  type DatedOffer,
  hasPass,
  insertPass,
  type OfferRow,
  readLockedPass,
  updateOffer,
} from './offer-store.ts';
import { claimCode, mailAbout, type Settled } from './settle-offer.ts';

/**
 * An order of the shop uses up a pass. Idempotent for the same order. Throws Problem conflict for
 * another order, or a cancelled pass.
 */
export async function redeemPass(
  transaction: Transaction,
  { code, order }: { code: string; order: string },
): Promise<Settled> {
  const offer = await lockPass(transaction, code);
  if (offer.state === 'redeemed' && offer.shop_order === order) return { offer, hasChanged: false };
  if (offer.state === 'redeemed')
    throw new Problem('conflict', 'Another order has redeemed this pass, or a door.');
  if (offer.state !== 'accepted') throw new Problem('conflict', 'This pass was cancelled.');
  const redeemed = await updateOffer(transaction, offer.id, {
    state: 'redeemed',
    shop_order: order,
  });
  return { offer: redeemed, hasChanged: true };
}

/**
 * Its mask goes to the next in the draw order, and its code stays dead. Throws Problem conflict for
 * a cancelled pass, or one that was redeemed by another order than the given one.
 */
export async function cancelPass(
  transaction: Transaction,
  code: string,
  order?: string,
): Promise<OfferRow> {
  await lock(transaction, 'sizes');
  const offer = await lockPass(transaction, code);
  if (order !== undefined && offer.state === 'redeemed' && offer.shop_order !== order)
    throw new Problem('conflict', 'Another order has redeemed this pass, or a door.');
  if (offer.state === 'cancelled') throw new Problem('conflict', 'This pass is cancelled already.');
  await updateOffer(transaction, offer.id, { state: 'cancelled' });
  return offer;
}

/**
 * Replaces a cancelled pass by one with another code. Throws Problem conflict unless a mask of the
 * size is available, or when the member has a pass.
 */
export async function reissuePass(transaction: Transaction, code: string): Promise<OfferRow> {
  const sizes = await readLockedSizes(transaction);
  const cancelled = await lockPass(transaction, code);
  if (cancelled.state !== 'cancelled')
    throw new Problem('conflict', 'Only a cancelled pass can be issued again.');
  const size = findSize(sizes, cancelled.size);
  if (size.available < 1) throw new Problem('conflict', `No mask of size ${size.name} is left.`);
  const { drop_number, member_id, wave } = cancelled;
  if (await hasPass(transaction, cancelled))
    throw new Problem('conflict', 'This member has another pass by now.');
  const pass = { id: randomUUID(), size: size.name };
  return await insertPass(transaction, {
    ...pass,
    drop_number,
    member_id,
    wave,
    code: await claimCode(transaction, pass),
  });
}

/** Throws Problem not_found. */
export async function lockPass(transaction: Transaction, code: string): Promise<DatedOffer> {
  const offer = await readLockedPass(transaction, code.trim());
  if (offer === null) throw new Problem('not_found', 'There is no pass with this code.');
  return offer;
}

export const cancelPassOperation: Operation<'cancel-pass'> = {
  kind: 'cancel-pass',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { code }) {
    const { member_id: id, size, state, shop_order: order } = await cancelPass(transaction, code);
    const by = order === null ? 'was used at the door' : `order ${order} had redeemed`;
    const was = state === 'redeemed' ? `, which ${by},` : '';
    return {
      effects: {
        sentences: [
          `The pass for a mask of size ${size}${was} is dead for good.`,
          'While masks are offered, the next in the draw order is offered this one.',
        ],
        counts: {},
      },
      summary: `A pass for a mask of size ${size}${was} was cancelled.`,
      subject: { kind: 'member', id },
      details: { size, order },
      undo: null,
    };
  },
};

export const reissuePassOperation: Operation<'reissue-pass'> = {
  kind: 'reissue-pass',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { code }) {
    const pass = await reissuePass(transaction, code);
    const { member_id: id, size } = pass;
    await queueMails(transaction, [mailAbout('pass', pass)]);
    return {
      effects: {
        sentences: [
          `The member gets another pass for a mask of size ${size}, with a new code.`,
          'A mail brings the link to it.',
        ],
        counts: {},
      },
      summary: `A member got another pass for a mask of size ${size}.`,
      subject: { kind: 'member', id },
      details: { size },
      undo: null,
    };
  },
};
