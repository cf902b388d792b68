import { randomBytes } from 'node:crypto';
import { hashList } from '../../../contract/drop/draw-hash-rules.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { pauseJoining, reopenJoining } from '../../line/join/pause-joining.ts';
import { Problem } from '../../problem.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { readList } from './draw-record.ts';
import { dropSubject, lockDropIn } from './drop-state.ts';
import {
  countEntrants,
  countLine,
  type DropRow,
  deleteEntrants,
  type EntrantCounts,
  insertEntrants,
  updateDrop,
} from './drop-store.ts';

const SALT_BYTES = 16;

type Frozen = EntrantCounts & {
  readonly number: number;
  readonly listHash: string;
  readonly members: number;
};

/**
 * Keeps the order of the first members as it is now. The caller holds the line lock, so nobody
 * joins or moves meanwhile. Throws Problem conflict.
 */
async function freezeDrop(transaction: Transaction, first: number): Promise<Frozen> {
  const { number } = await lockDropIn(transaction, 'open');
  await insertEntrants(transaction, { number, first });
  const frozenAt = new Date();
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const list = await readList({ kysely: transaction }, { number, frozen_at: frozenAt, salt });
  if (list.entrants.length === 0) throw new Problem('conflict', 'Nobody is in line.');
  const listHash = hashList(list);
  await updateDrop(transaction, number, {
    state: 'frozen',
    frozen_at: frozenAt,
    salt,
    list_hash: listHash,
  });
  await markDone(transaction, number, 'freeze-drop');
  const counts = await countEntrants({ kysely: transaction }, number);
  return { number, listHash, members: await countLine({ kysely: transaction }), ...counts };
}

/** Deletes the frozen list. Throws Problem conflict once the draw is announced. */
async function unfreezeDrop(transaction: Transaction): Promise<DropRow> {
  const drop = await lockDropIn(transaction, 'frozen');
  if (drop.announced_at !== null)
    throw new Problem(
      'conflict',
      `The draw of drop ${drop.number} is announced: the list stays, or the drop is closed.`,
    );
  await deleteEntrants(transaction, drop.number);
  await updateDrop(transaction, drop.number, {
    state: 'open',
    frozen_at: null,
    salt: null,
    list_hash: null,
  });
  return drop;
}

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

/** Opens a frozen drop again, also when the undo has ended. A pause stays. */
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
