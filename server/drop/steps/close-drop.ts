import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import type { ScheduledStep } from '../../../contract/operator/drop/schedule-changes.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import { expireAllOffers, type OfferRow } from '../offers/offer-store.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { cancelSteps, markDone } from '../schedule/schedule-store.ts';
import { dropSubject, lockDropIn } from './drop-state.ts';
import { type DropRow, insertDrop, updateDrop } from './drop-store.ts';

/** Closes the drop, whatever its state. Members whose offer ends with it are mailed. */
export const closeDropOperation: Operation<'close-drop'> = {
  kind: 'close-drop',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction) {
    const { drop, ended, cancelled } = await closeDrop(transaction);
    const { number, state } = drop;
    await queueMails(
      transaction,
      ended.map((offer) => mailAbout('offer-ended', offer)),
    );
    return {
      effects: {
        sentences: [
          `Drop ${number}, which is ${state}, ends for good.`,
          'What was published of it stays public.',
          ended.length === 0
            ? 'No offer is open.'
            : `${countOf(ended.length, 'offer is', 'offers are')} still open, and ` +
              `${ended.length === 1 ? 'ends' : 'end'} at once. Passes stay valid.`,
          ...(ended.length === 0
            ? []
            : [`${countOf(ended.length, 'member is', 'members are')} mailed that it ended.`]),
          ...cancelled.map((step) => `No longer scheduled: ${STEP_WORDS[step]}.`),
        ],
        counts: { ended: ended.length },
      },
      summary: `Drop ${number} was closed, which was ${state}.`,
      subject: dropSubject(number),
      details: { state, ended: ended.length },
      undo: null,
    };
  },
};

export const openDropOperation: Operation<'open-drop'> = {
  kind: 'open-drop',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction) {
    const number = await openDrop(transaction);
    return {
      effects: { sentences: [`Drop ${number} begins, and is open.`], counts: {} },
      summary: `Drop ${number} was opened.`,
      subject: dropSubject(number),
      details: {},
      undo: null,
    };
  },
};

export type ClosedDrop = {
  readonly drop: DropRow;
  readonly ended: readonly OfferRow[];
  readonly cancelled: readonly ScheduledStep[];
};

/** Closes a drop in any state but open, and ends its open offers. Throws Problem conflict. */
export async function closeDrop(transaction: Transaction): Promise<ClosedDrop> {
  const drop = await lockDropIn(transaction, 'frozen', 'selected', 'offering');
  await updateDrop(transaction, drop.number, { state: 'closed', closed_at: new Date() });
  await markDone(transaction, drop.number, 'close-drop');
  const ended = await expireAllOffers(transaction, drop.number);
  return { drop, ended, cancelled: await cancelSteps(transaction, drop.number) };
}

/** Begins the next drop after one that is closed. Returns its number. Throws Problem conflict. */
async function openDrop(transaction: Transaction): Promise<number> {
  const { number } = await lockDropIn(transaction, 'closed');
  await insertDrop(transaction, number + 1);
  return number + 1;
}
