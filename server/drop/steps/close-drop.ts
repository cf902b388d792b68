import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { changeOf, insertDrop, lockDropIn, updateDrop } from '../drop-store.ts';
import { expireAllOffers } from '../offers/offer-store.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { cancelSteps, markDone } from '../schedule/schedule-store.ts';
import { forgetCards, releaseEntries } from '../till/checkout-store.ts';

export const closeDropOperation: Operation<'close-drop'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction) {
    const { drop, ended, cancelled } = await closeDrop(transaction);
    const { number, state } = drop;
    await mailAbout(transaction, 'offer-ended', ended);
    return changeOf(number, {
      sentences: [
        `Drop ${number}, which is ${state}, ends for good.`,
        'What was published of it stays public.',
        ...(ended.length === 0
          ? ['No offer is open.']
          : [
              `${countOf(ended.length, 'offer is', 'offers are')} still open, and ` +
                `${ended.length === 1 ? 'ends' : 'end'} at once. Passes stay valid.`,
              `${countOf(ended.length, 'member is', 'members are')} mailed that it ended.`,
            ]),
        ...cancelled.map((step) => `No longer scheduled: ${STEP_WORDS[step]}.`),
      ],
      counts: { ended: ended.length },
      summary: `Drop ${number} was closed, which was ${state}.`,
      details: { state, ended: ended.length },
    });
  },
};

export async function closeDrop(transaction: Transaction) {
  const drop = await lockDropIn(transaction, 'frozen', 'selected', 'offering');
  await updateDrop(transaction, drop.number, { state: 'closed', closed_at: new Date() });
  await markDone(transaction, drop.number, 'close-drop');
  const ended = await expireAllOffers(transaction, drop.number);
  await releaseEntries(transaction, { number: drop.number, why: 'undone' });
  await forgetCards(transaction, drop.number);
  return { drop, ended, cancelled: await cancelSteps(transaction, drop.number) };
}

export const openDropOperation: Operation<'open-drop'> = {
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction) {
    const number = (await lockDropIn(transaction, 'closed')).number + 1;
    await insertDrop(transaction, number);
    return changeOf(number, {
      sentences: [`Drop ${number} begins, and is open.`],
      summary: `Drop ${number} was opened.`,
    });
  },
};
