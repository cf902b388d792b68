import { STEP_WORDS } from '../../../contract/drop/step-words.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { closeDrop, dropSubject, openDrop } from './drop-state.ts';

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

/** The next drop begins. */
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
