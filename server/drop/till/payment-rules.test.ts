import { expect, test } from 'vitest';
import { judgeAgain, judgePayment } from './payment-rules.ts';

const PAID = {
  id: 'p',
  reference: 'p',
  offerId: 'o',
  problem: null,
  cents: 9_900,
  currency: 'eur',
  maskCents: 9_900,
  refundedCents: 0,
  disputedCents: 0,
};
const OWED = {
  offer_state: 'accepted' as const,
  cents: 9_900,
  currency: 'EUR',
  shop_order: null,
  isSizeLeft: true,
  isReferenceUsed: false,
};
const OF_OTHER = { ...OWED, offer_state: 'paid' as const, shop_order: 'other' };
const HANDED_OVER = { ...OF_OTHER, offer_state: 'handed_over' as const, shop_order: 'p' };

test.each([
  ['the price of a mask', PAID, OWED, 'kept'],
  ['a shipping of its own on top', { ...PAID, cents: 10_400 }, OWED, 'kept'],
  ['whatever it is, where the till alone knows', PAID, { ...OWED, cents: null }, 'kept'],
  ['too little', { ...PAID, maskCents: 100 }, OWED, 'by_hand'],
  ['the same number of another currency', { ...PAID, currency: 'sek' }, OWED, 'by_hand'],
  ['something else', { ...PAID, maskCents: null }, OWED, 'by_hand'],
  ['something else, for a pass that is paid', { ...PAID, maskCents: null }, OF_OTHER, 'by_hand'],
  ['a pass of another line', PAID, null, 'by_hand'],
  ['a bank transfer that nobody can cancel', { ...PAID, problem: 'Why.' }, OWED, 'by_hand'],
  ['a reference that paid another pass', PAID, { ...OWED, isReferenceUsed: true }, 'by_hand'],
  ['the last mask of a size', PAID, { ...OWED, isSizeLeft: false }, 'to_refund'],
  ['a pass twice', PAID, OF_OTHER, 'to_refund'],
  ['a pass that this order has paid', PAID, { ...OF_OTHER, shop_order: 'p' }, 'kept'],
  ['a pass that it paid, which was handed over', PAID, HANDED_OVER, 'kept'],
  [
    'a pass that it paid, which was sent',
    PAID,
    { ...HANDED_OVER, offer_state: 'sent' as const },
    'kept',
  ],
  ['a pass that was handed over unpaid', PAID, { ...HANDED_OVER, shop_order: null }, 'to_refund'],
  ['a pass that has ended', PAID, { ...OWED, offer_state: 'cancelled' as const }, 'to_refund'],
  ['and is returned', { ...PAID, refundedCents: 9_900 }, OWED, 'refunded'],
  [
    'and is returned, and disputed all the same',
    { ...PAID, refundedCents: 9_900, disputedCents: 9_900 },
    { ...OWED, offer_state: 'cancelled' as const },
    'by_hand',
  ],
])('a payment of %s is settled at first sight', (_what, payment, pass, state) => {
  expect(judgePayment(payment, pass)).toMatchObject({ state });
});

const KNOWN = { state: 'kept' as const, refunded_cents: 0, disputed_cents: 0, is_pass_paid: true };
const ENDED = { ...KNOWN, is_pass_paid: false };
const part = { ...PAID, refundedCents: 2_500 };
const whole = { ...PAID, refundedCents: 9_900 };
const disputed = { ...PAID, disputedCents: 9_900 };

test.each([
  ['stays while nothing moves', KNOWN, PAID, null],
  ['is asked about once a part went back', KNOWN, part, 'by_hand'],
  ['is asked about once all went back', KNOWN, whole, 'by_hand'],
  ['is asked about once it is disputed', KNOWN, disputed, 'by_hand'],
  [
    'is asked about again after the word of the owner',
    { ...KNOWN, state: 'settled' as const, refunded_cents: 2_500 },
    whole,
    'by_hand',
  ],
  [
    'is kept again once a dispute is won',
    { ...KNOWN, state: 'by_hand' as const, disputed_cents: 9_900 },
    PAID,
    'kept',
  ],
  ['of an ended pass went back', { ...ENDED, state: 'to_refund' as const }, whole, 'refunded'],
  [
    'of an ended pass went back before, by the owner',
    { ...ENDED, state: 'to_refund' as const, refunded_cents: 9_900 },
    whole,
    'refunded',
  ],
  ['of an ended pass waits for the rest', { ...ENDED, state: 'to_refund' as const }, part, null],
  ['by hand went back', { ...ENDED, state: 'by_hand' as const }, whole, 'refunded'],
  [
    'of an ended pass is disputed after it went back',
    { ...ENDED, state: 'refunded' as const, refunded_cents: 9_900 },
    { ...whole, disputedCents: 9_900 },
    'by_hand',
  ],
  [
    'of an ended pass is refunded again once the dispute is won',
    { ...ENDED, state: 'by_hand' as const, refunded_cents: 9_900, disputed_cents: 9_900 },
    whole,
    'refunded',
  ],
  [
    'comes back when its refund fails later',
    { ...ENDED, state: 'refunded' as const, refunded_cents: 9_900 },
    PAID,
    'by_hand',
  ],
])('a payment %s', (_what, known, now, state) => {
  expect(judgeAgain(known, now)?.state ?? null).toBe(state);
});

test('the owner reads what moved', () => {
  expect(judgeAgain(KNOWN, { ...part, disputedCents: 7_400 })?.why).toBe(
    '25.00 EUR of 99.00 EUR went back at the till. ' +
      'The payer disputes 74.00 EUR of 99.00 EUR at the bank. What about its mask?',
  );
});
