/** Answers of members to their offers. Each is idempotent, and throws Problem. */
import { passWords } from '../../../brand/drop-words.ts';
import type { OfferMailKind } from '../../../brand/mail-shape.ts';
import { isPass, type OfferState } from '../../../contract/drop/states.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { queueMails } from '../../line/mails/store.ts';
import { conflict, Problem } from '../../problem.ts';
import { claimCode } from '../stock/codes.ts';
import { findSize } from '../stock/size-rules.ts';
import { readLockedSizes } from '../stock/store.ts';
import { type HeldOffer, readLockedOffer, updateOffer } from './offer-store.ts';

/** Returns the pass, whose code is mailed once. */
export async function acceptOffer(transaction: Transaction, memberId: string): Promise<OfferRow> {
  const offer = await lockOfferOf(transaction, memberId);
  if (isPass(offer.state)) return offer;
  assertOpen(offer);
  const code = await claimCode(transaction, offer);
  const pass = await updateOffer(transaction, offer.id, { state: 'accepted', code });
  await mailAbout(transaction, 'pass', [pass]);
  return pass;
}

export async function declineOffer(transaction: Transaction, memberId: string): Promise<void> {
  const offer = await lockOfferOf(transaction, memberId);
  if (offer.state === 'declined') return;
  assertOpen(offer);
  await updateOffer(transaction, offer.id, { state: 'declined' });
}

export async function changeOfferSize(
  transaction: Transaction,
  { memberId, size: name }: { memberId: string; size: string },
): Promise<void> {
  const sizes = await readLockedSizes(transaction);
  const offer = await lockOfferOf(transaction, memberId);
  assertOpen(offer);
  if (offer.size === name) return;
  const size = findSize(sizes, name);
  if (size.held < 1) throw conflict(`No mask of size ${size.name} is left.`);
  await updateOffer(transaction, offer.id, { size: size.name });
}

async function lockOfferOf(transaction: Transaction, memberId: string): Promise<HeldOffer> {
  const offer = await readLockedOffer(transaction, memberId);
  if (offer === null) throw noOffer();
  return offer;
}

export function noOffer(): Problem {
  return new Problem('not_found', 'There is no offer for you.');
}

function assertOpen(offer: HeldOffer): void {
  if (offer.state !== 'open') throw conflict(WHY_CLOSED[offer.state]);
  if (!offer.is_in_line) throw new Problem('unknown_member', 'You have left the line.');
}

const WHY_CLOSED: Readonly<Record<Exclude<OfferState, 'open'>, string>> = {
  expired: 'This offer has ended.',
  accepted: 'You have accepted this offer.',
  paid: passWords('paid'),
  handed_over: passWords('handed_over'),
  sent: passWords('sent'),
  declined: 'You have declined this offer.',
  cancelled: 'This pass was cancelled.',
};

/** Queues a mail about each of these offers, in the transaction that changes them. */
export async function mailAbout(
  transaction: Transaction,
  kind: OfferMailKind,
  offers: readonly Pick<OfferRow, 'id' | 'member_id'>[],
  more: { readonly note?: string } = {},
): Promise<void> {
  const mailOf = ({ id: offerId, member_id: memberId }: (typeof offers)[number]) => {
    return { kind, memberId, offerId, ...more };
  };
  await queueMails(transaction, offers.map(mailOf));
}
