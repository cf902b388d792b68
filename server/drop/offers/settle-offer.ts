/** Answers of members to their offers. Each is idempotent, and throws Problem. */
import { passWords } from '../../../contract/drop/place-words.ts';
import { isPass, type OfferState } from '../../../contract/drop/states.ts';
import type { OfferMailKind } from '../../../contract/mails.ts';
import type { Transaction } from '../../db/transaction.ts';
import { claimLinkMail } from '../../members/links/store.ts';
import { type MailRequest, queueMails } from '../../notifications/delivery/queue.ts';
import { conflict, Problem } from '../../problem.ts';
import { entryMailOf } from '../entries/get-entries.ts';
import { findSize } from '../stock/size-rules.ts';
import { readLockedSizes } from '../stock/store.ts';
import { takeCode } from './code-store.ts';
import { newCode } from './codes.ts';
import {
  type DatedOffer,
  type HeldOffer,
  type OfferRow,
  readLockedOffer,
  updateOffer,
} from './offer-store.ts';

export type Settled = { readonly offer: DatedOffer; readonly hasChanged: boolean };

export async function acceptOffer(transaction: Transaction, memberId: string): Promise<Settled> {
  const offer = await lockOfferOf(transaction, memberId);
  if (isPass(offer.state)) return { offer, hasChanged: false };
  assertOpen(offer);
  const code = await claimCode(transaction, offer);
  const accepted = await updateOffer(transaction, offer.id, { state: 'accepted', code });
  return { offer: accepted, hasChanged: true };
}

export async function acceptAndMail(transaction: Transaction, memberId: string): Promise<Settled> {
  const settled = await acceptOffer(transaction, memberId);
  if (settled.hasChanged) await mailAbout(transaction, 'pass', [settled.offer]);
  return settled;
}

export async function declineOffer(transaction: Transaction, memberId: string): Promise<Settled> {
  const offer = await lockOfferOf(transaction, memberId);
  if (offer.state === 'declined') return { offer, hasChanged: false };
  assertOpen(offer);
  const declined = await updateOffer(transaction, offer.id, { state: 'declined' });
  return { offer: declined, hasChanged: true };
}

export async function changeOfferSize(
  transaction: Transaction,
  { memberId, size: name }: { memberId: string; size: string },
): Promise<Settled> {
  const sizes = await readLockedSizes(transaction);
  const offer = await lockOfferOf(transaction, memberId);
  assertOpen(offer);
  if (offer.size === name) return { offer, hasChanged: false };
  const size = findSize(sizes, name);
  if (size.held < 1) throw conflict(`No mask of size ${size.name} is left.`);
  return {
    offer: await updateOffer(transaction, offer.id, { size: size.name }),
    hasChanged: true,
  };
}

export async function mailFreshLink(transaction: Transaction, memberId: string): Promise<void> {
  const mail = await linkMailOf(transaction, memberId);
  if (mail === null) throw noOffer();
  if (!(await claimLinkMail(transaction, memberId)))
    throw new Problem(
      'rate_limited',
      'A link was mailed to you a short while ago. Please look for it, also among spam.',
      { retryAfterSeconds: 600 },
    );
  await queueMails(transaction, [mail]);
}

/** The mail whose link acts on the offer, pass or entry of a member. */
async function linkMailOf(transaction: Transaction, memberId: string): Promise<MailRequest | null> {
  const offer = await readLockedOffer(transaction, memberId);
  const offerId = offer?.id ?? '';
  if (offer?.state === 'open') return { kind: 'offer', memberId, offerId };
  if (offer?.state === 'accepted') return { kind: 'pass', memberId, offerId };
  if (offer?.state === 'paid') return { kind: 'pass-paid', memberId, offerId };
  const kind = await entryMailOf({ kysely: transaction }, memberId);
  return kind && { kind, memberId, entry: true };
}

export async function claimCode(
  transaction: Transaction,
  { id, size }: Pick<OfferRow, 'id' | 'size'>,
): Promise<string> {
  const { code, isImporting } = await takeCode(transaction, { offerId: id, size });
  if (code !== null) return code;
  if (isImporting)
    throw new Problem(
      'unavailable',
      'The shop has no code left for this size right now. Your offer stands: try again later.',
      { retryAfterSeconds: 600 },
    );
  return newCode();
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

export const WHY_CLOSED: Readonly<Record<Exclude<OfferState, 'open'>, string>> = {
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
