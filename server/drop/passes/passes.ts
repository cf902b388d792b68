import { randomUUID } from 'node:crypto';
import type { MaskSize } from '../../../contract/operator/masks.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { DropRow, OfferRow } from '../../db/schema/feature-tables.ts';
import { lock, type Transaction } from '../../db/transaction.ts';
import { conflict, Problem } from '../../problem.ts';
import { getDrop } from '../drop-store.ts';
import {
  type DatedOffer,
  hasPass,
  hasRedeemed,
  insertPass,
  readLockedPass,
  updateOffer,
} from '../offers/offer-store.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { claimCode } from '../stock/codes.ts';
import { findSize } from '../stock/size-rules.ts';
import { readLockedSizes } from '../stock/store.ts';

type Settled = { readonly offer: OfferRow; readonly hasChanged: boolean };

/** An order pays a pass, and its member is mailed that. Idempotent. Throws Problem conflict. */
export async function redeemPass(
  transaction: Transaction,
  { code, order }: { code: string; order: string },
): Promise<Settled> {
  await lock(transaction, 'sizes');
  const offer = await lockPass(transaction, code);
  if (offer.state === 'cancelled') throw conflict('This pass was cancelled.');
  if (offer.shop_order === order) return { offer, hasChanged: false };
  if (offer.state !== 'accepted') throw conflict(whoHas(offer));
  if (await hasRedeemed(transaction, order))
    throw conflict('This order has paid another pass: one order pays one pass.');
  const paid = await updateOffer(transaction, offer.id, { state: 'paid', shop_order: order });
  await mailAbout(transaction, 'pass-paid', [paid]);
  return { offer: paid, hasChanged: true };
}

export function whoHas({ shop_order: order }: Pick<OfferRow, 'shop_order'>): string {
  return order === null
    ? 'The mask of this pass was handed over at a door.'
    : 'Another order has paid this pass.';
}

/** Throws Problem conflict without a free mask of the size, or when the member has a pass. */
export async function reissuePass(transaction: Transaction, code: string): Promise<OfferRow> {
  const sizes = await readLockedSizes(transaction);
  const cancelled = await lockPass(transaction, code);
  if (cancelled.state !== 'cancelled') throw conflict('Only a cancelled pass can be issued again.');
  const size = findSize(sizes, cancelled.size);
  const last = await getDrop({ kysely: transaction });
  if (countLeft(size, cancelled, last) < 1) throw conflict(`No mask of size ${size.name} is left.`);
  if (await hasPass(transaction, cancelled)) throw conflict('This member has another pass by now.');
  const pass = { ...cancelled, id: randomUUID(), state: 'accepted' as const };
  return await insertPass(transaction, { ...pass, code: await claimCode(transaction, pass) });
}

/** Masks that a pass may take: the announced ones are for passes of the last drop alone. */
function countLeft(
  { held, available }: Pick<MaskSize, 'held' | 'available'>,
  { drop_number }: Pick<OfferRow, 'drop_number'>,
  last: Pick<DropRow, 'number' | 'state'>,
): number {
  const isOfLast = last.number === drop_number && last.state !== 'closed';
  return isOfLast ? held : available - held;
}

export async function lockPass(transaction: Transaction, code: string): Promise<DatedOffer> {
  const offer = await readLockedPass(transaction, code.trim());
  if (offer === null)
    throw new Problem('not_found', `There is no pass with this code: ${code.trim()}.`);
  return offer;
}

export const nameOf = (state: OfferRow['state']) => state.replace('_', ' ');

export const swapPassesOperation: Operation<'swap-passes'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { codes, size: wanted }) {
    const sizes = await readLockedSizes(transaction);
    const size = wanted === undefined ? null : findSize(sizes, wanted);
    const last = await getDrop({ kysely: transaction });
    let taken = 0;
    const passes: OfferRow[] = [];
    for (const text of codes) {
      const old = await lockPass(transaction, text);
      if (old.state !== 'accepted')
        throw conflict(`The pass ${old.code} is ${nameOf(old.state)}: nothing was changed.`);
      const pass = { id: old.id, size: size?.name ?? old.size };
      if (size !== null && size.name !== old.size && countLeft(size, old, last) <= taken++)
        throw conflict(`No mask of size ${pass.size} is left.`);
      const code = await claimCode(transaction, pass);
      passes.push(await updateOffer(transaction, old.id, { size: pass.size, code }));
      // The old code stays that of a cancelled pass, so that shop and reconciliation know it.
      await insertPass(transaction, { ...old, id: randomUUID(), state: 'cancelled' });
    }
    await mailAbout(transaction, 'pass', passes);
    const members = passes.map(({ member_id }) => member_id);
    const count = countOf(passes.length, 'pass', 'passes');
    const forSize = size === null ? '' : `, for size ${size.name}`;
    return {
      sentences: [
        `${count} ${passes.length === 1 ? 'gets' : 'get'} another code${forSize}. The old codes ` +
          'are dead for good, and no member loses a mask.',
        `${countOf(passes.length, 'member is', 'members are')} mailed the link to the pass.`,
      ],
      counts: { passes: passes.length },
      summary: `${count} got another code${forSize}.`,
      subject: members.length === 1 ? { kind: 'member', id: members[0] ?? '' } : null,
      details: { members, size: size?.name ?? null },
    };
  },
};

export const reissuePassOperation: Operation<'reissue-pass'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction, { code }) {
    const pass = await reissuePass(transaction, code);
    const { member_id: id, size } = pass;
    await mailAbout(transaction, 'pass', [pass]);
    return {
      sentences: [
        `The member gets another pass for a mask of size ${size}, with a new code.`,
        'A mail brings the link to it.',
      ],
      summary: `A member got another pass for a mask of size ${size}.`,
      subject: { kind: 'member', id },
      details: { size },
    };
  },
};
