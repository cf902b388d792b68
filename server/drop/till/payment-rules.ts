/** What becomes of a payment: whoever reports it, and however often, the answer is the same. */
import { isPass, type OfferState } from '../../../contract/drop/states.ts';
import { writeAmount } from '../../../contract/operator/drop/price-rules.ts';
import type { PaymentState } from '../../../contract/operator/drop/till.ts';
import type { Payment } from './till.ts';

export type KnownPayment = {
  readonly id: string;
  readonly account_id: string;
  readonly offer_id: string | null;
  readonly reference: string;
  readonly state: PaymentState;
  readonly refunded_cents: number;
  readonly disputed_cents: number;
  readonly failures: number;
  /** Whether a pass stands that it pays. */
  readonly is_pass_paid: boolean;
};

type Money = Pick<Payment, 'cents' | 'currency' | 'refundedCents' | 'disputedCents'>;
type Verdict = Pick<KnownPayment, 'state'> & { readonly why: string | null };

type PaidPass = {
  readonly offer_state: OfferState;
  /** What the till was told that the mask costs; null if it alone knows. */
  readonly cents: number | null;
  readonly currency: string | null;
  readonly isSizeLeft: boolean;
  /** The order or payment that paid it; null while it is unpaid. */
  readonly shop_order: string | null;
  readonly isReferenceUsed: boolean;
};

const KEPT: Verdict = { state: 'kept', why: null };
const byHand = (why: string): Verdict => ({ state: 'by_hand', why });
const toRefund = (why: string): Verdict => ({ state: 'to_refund', why });

const isReturned = ({ cents, refundedCents }: Money) => refundedCents > 0 && refundedCents >= cents;

/** Judges a payment that is new; `pass` is null if the line has no such pass. */
export function judgePayment(payment: Payment, pass: PaidPass | null): Verdict {
  if (isReturned(payment)) return returned(payment, 'It was given back at the till.');
  if (payment.problem !== null) return byHand(payment.problem);
  if (pass === null) return byHand('This line has no such pass.');
  if (payment.maskCents === null) return byHand('It is not for the mask of the till.');
  const { offer_state: state, shop_order: order } = pass;
  if (!isPass(state)) return toRefund('Its pass has ended.');
  if (state !== 'accepted' && order === payment.reference) return KEPT;
  if (state !== 'accepted')
    return toRefund(
      order === null ? 'Its mask was handed over unpaid.' : 'The pass was paid already.',
    );
  const { cents, currency } = pass;
  if (cents !== null && currency !== null && !isPrice(payment, { cents, currency }))
    return byHand(`The mask costs ${write(cents, currency)}: settle the difference by hand.`);
  if (pass.isReferenceUsed) return byHand('Another pass was paid by this reference.');
  if (!pass.isSizeLeft) return toRefund('No mask of the paid size is left.');
  return KEPT;
}

const isPrice = (paid: Payment, { cents, currency }: { cents: number; currency: string }) =>
  paid.maskCents === cents && paid.currency.toLowerCase() === currency.toLowerCase();

/** Judges a payment that was read again; null if nothing changes. */
export function judgeAgain(
  known: Pick<KnownPayment, 'state' | 'refunded_cents' | 'disputed_cents' | 'is_pass_paid'>,
  now: Money,
): Verdict | null {
  const { refundedCents: refunded, disputedCents: disputed } = now;
  const hasMoved = refunded !== known.refunded_cents || disputed !== known.disputed_cents;
  // What its owner had given back before the pass was cancelled moves no more.
  if (!hasMoved && known.state !== 'to_refund') return null;
  if (known.is_pass_paid && known.state !== 'to_refund')
    return refunded + disputed === 0 ? KEPT : byHand(`${describe(now)} What about its mask?`);
  if (isReturned(now)) return returned(now, null);
  if (known.state !== 'refunded') return null;
  return byHand('The refund failed: the money is with you again. Give it back by another way.');
}

/** Who disputes what went back gets it twice, unless the bank is shown that. */
function returned(money: Money, why: string | null): Verdict {
  if (money.disputedCents === 0) return { state: 'refunded', why };
  return byHand(`${describe(money)} Show the bank that it went back.`);
}

function describe({ cents, currency, refundedCents: refunded, disputedCents: disputed }: Money) {
  const of = `of ${write(cents, currency)}`;
  return [
    ...(refunded > 0 ? [`${write(refunded, currency)} ${of} went back at the till.`] : []),
    ...(disputed > 0 ? [`The payer disputes ${write(disputed, currency)} ${of} at the bank.`] : []),
  ].join(' ');
}

const write = (cents: number, currency: string) =>
  `${writeAmount(cents, currency)} ${currency.toUpperCase()}`;
