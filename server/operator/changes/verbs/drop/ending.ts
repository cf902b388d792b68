import { STEP_WORDS } from '../../../../../contract/drop/step-words.ts';
import { closeDrop, openDrop } from '../../../../drop/steps/drop-state.ts';
import type { Verb } from '../../change.ts';
import { dropSubject } from './drop-subject.ts';

/** Closes the drop, whatever its state. */
export const closeDropVerb: Verb<'close-drop'> = {
  kind: 'close-drop',
  isForOwners: true,
  lock: 'sizes',
  async apply(transaction) {
    const { drop, cancelled } = await closeDrop(transaction);
    const { number, state } = drop;
    return {
      effects: {
        sentences: [
          `Drop ${number}, which is ${state}, ends for good.`,
          'What was published of it stays public.',
          ...cancelled.map((step) => `No longer scheduled: ${STEP_WORDS[step]}.`),
        ],
        counts: {},
      },
      summary: `Drop ${number} was closed, which was ${state}.`,
      subject: dropSubject(number),
      details: { state },
      undo: null,
    };
  },
};

/** The next drop begins. */
export const openDropVerb: Verb<'open-drop'> = {
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
