import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { pauseJoining, reopenJoining } from '../../line/join/pause-joining.ts';
import { Problem } from '../../problem.ts';
import { dropSubject } from './drop-subject.ts';
import { type Frozen, freezeDrop, unfreezeDrop } from './freeze.ts';

type Undo = { readonly hash: string; readonly hasPaused: boolean };

/** The order of the line is kept as it is now, and its list is public. */
export const freezeDropOperation: Operation<'freeze-drop'> = {
  kind: 'freeze-drop',
  isForOwners: true,
  lock: 'line',
  async apply(transaction, { first, pause_message: message }) {
    const hasPaused =
      message !== undefined && (await pauseJoining(transaction, { message })) === null;
    const frozen = await freezeDrop(transaction, first);
    const undo: Undo = { hash: frozen.listHash, hasPaused };
    return {
      effects: { sentences: describe(frozen, message), counts: countsOf(frozen) },
      summary:
        `${countOf(frozen.entrants, 'entrant was', 'entrants were')} frozen ` +
        `for drop ${frozen.number}.`,
      subject: dropSubject(frozen.number),
      details: { list_hash: frozen.listHash, ...countsOf(frozen) },
      undo,
    };
  },
  async undo(transaction, { hash, hasPaused }: Undo) {
    const { number, list_hash } = await unfreezeDrop(transaction);
    if (list_hash !== hash) throw new Problem('conflict', `Drop ${number} was frozen again since.`);
    if (hasPaused) await reopenJoining(transaction);
    return { summary: `Drop ${number} is open again, without a list.` };
  },
};

/** The same later than a day after the freeze. A pause stays. */
export const unfreezeDropOperation: Operation<'unfreeze-drop'> = {
  kind: 'unfreeze-drop',
  isForOwners: true,
  lock: 'line',
  async apply(transaction) {
    const { number, list_hash } = await unfreezeDrop(transaction);
    return {
      effects: {
        sentences: [
          `Drop ${number} is open again, and its list is deleted.`,
          'Its hash was public: the audit log keeps it. Joining stays as it is.',
        ],
        counts: {},
      },
      summary: `Drop ${number} was opened again, without a list.`,
      subject: dropSubject(number),
      details: { list_hash },
      undo: null,
    };
  },
};

function describe(frozen: Frozen, message: string | undefined): string[] {
  const { entrants, members, doubted, held_credits, with_wish } = frozen;
  return [
    `The first ${countOf(entrants, 'member')} of ${members.toLocaleString('en-US')} are frozen, ` +
      'in the order that they have now.',
    doubted === 0
      ? 'None of them has a held credit.'
      : `${countOf(doubted, 'of them has', 'of them have')} ` +
        `${countOf(held_credits, 'held credit')}, which do not count: decide about them first.`,
    `${countOf(with_wish, 'entrant')} named sizes; the others take any.`,
    message === undefined
      ? 'Joins go on, behind the frozen list.'
      : `Joining is paused. The site and the API answer: ${message}`,
    'The list of tickets and its hash are public at once.',
  ];
}

function countsOf({ entrants, doubted, held_credits, with_wish }: Frozen) {
  return { entrants, doubted, held_credits, with_wish };
}
