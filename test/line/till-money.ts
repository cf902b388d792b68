/** What became of the money of a till, once a history is over. */
import { expect } from 'vitest';
import { isPass } from '../../contract/drop/states.ts';
import type { FarPayment } from '../support/fake-far-side.ts';
import type { TillLine } from './till-line.ts';

type Look = Awaited<ReturnType<TillLine['look']>>;

type History = {
  /** Payments at the far sides that are of this line. */
  readonly all: readonly FarPayment[];
  readonly isAsked: (row?: Look['payments'][number]) => boolean;
  readonly hasTakenOver: boolean;
  readonly capturedByHand: ReadonlySet<string>;
};

/** Whatever was paid is kept for a mask, went back, or waits for the word of the owner. */
export function checkMoney(
  { offers, payments }: Look,
  { all, isAsked, hasTakenOver, capturedByHand }: History,
): void {
  const taken = all.filter(({ cents }) => cents > 0);
  const byHand = payments.filter(({ id }) => id.startsWith('order/'));
  const byTill = payments.filter((row) => !byHand.includes(row));
  expect(byTill.map(referenceOf)).toEqual(expect.arrayContaining(taken.map(referenceOf)));
  expect(all.map(referenceOf)).toEqual(expect.arrayContaining(byTill.map(referenceOf)));
  for (const { reference, refundedCents, disputedCents, isRefunded, isStuck, ...far } of taken) {
    const row = payments.find((one) => one.reference === reference);
    expect(row).toMatchObject({
      refunded_cents: refundedCents,
      disputed_cents: disputedCents,
      cents: far.cents,
    });
    const isPaying = offers.some(
      ({ shop_order: order, state }) => order === reference && isPass(state),
    );
    const kept = refundedCents + disputedCents > 0 ? [] : ['kept'];
    if (isPaying) expect([...kept, 'by_hand', 'settled']).toContain(row?.state);
    else if (isRefunded && disputedCents === 0)
      expect(row?.state === 'refunded' || isAsked(row)).toBe(true);
    else expect(isAsked(row)).toBe(true);
    // The owner is asked for nothing that the till can do.
    const isKnown =
      (row?.offer_id !== null || !hasTakenOver) && !capturedByHand.has(far.offerId ?? '');
    if (row?.state === 'by_hand' && !isPaying && !isStuck && isPrice(far) && isKnown)
      expect(row.why).toMatch(/^The refund failed/);
  }
  // An order of another shop that paid a pass is asked about once the pass is cancelled.
  const owed = offers.filter(
    ({ shop_order: order, state }) => order === 'by hand' && state === 'cancelled',
  );
  expect(byHand.map(({ offer_id: id }) => id).sort()).toEqual(owed.map(({ id }) => id).sort());
}

export const isPrice = ({ cents, currency }: Pick<FarPayment, 'cents' | 'currency'>) =>
  cents === 9_900 && currency !== 'usd';
export const referenceOf = ({ reference }: { readonly reference: string }) => reference;
