import { randomBytes } from 'node:crypto';
import { hashList } from '../../../contract/drop/draw-hash-rules.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Transaction } from '../../db/transaction.ts';
import { pauseJoining, reopenJoining } from '../../line/join/pause-joining.ts';
import { Problem } from '../../problem.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { readList } from './draw-record.ts';
import { changeOf, lockDropIn } from './drop-state.ts';
import {
  countEntrants,
  countLine,
  type DropRow,
  deleteEntrants,
  insertEntrants,
  updateDrop,
} from './drop-store.ts';

const SALT_BYTES = 16;

type Undo = { readonly hash: string; readonly hasPaused: boolean };

export const freezeDropOperation: Operation<'freeze-drop'> = {
  kind: 'freeze-drop',
  isForOwners: true,
  lock: 'line',
  async apply(transaction, { first, pause_message: message }) {
    const hasPaused =
      message !== undefined && (await pauseJoining(transaction, { message })) === null;
    const { number } = await lockDropIn(transaction, 'open');
    await insertEntrants(transaction, { number, first });
    const frozen_at = new Date();
    const salt = randomBytes(SALT_BYTES).toString('hex');
    const database = { kysely: transaction };
    const list = await readList(database, { number, frozen_at, salt });
    if (list.entrants.length === 0) throw new Problem('conflict', 'Nobody is in line.');
    const hash = hashList(list);
    await updateDrop(transaction, number, { state: 'frozen', frozen_at, salt, list_hash: hash });
    await markDone(transaction, number, 'freeze-drop');
    const counts = await countEntrants(database, number);
    const undo: Undo = { hash, hasPaused };
    return changeOf(number, {
      sentences: describe(counts, await countLine(database), message),
      counts,
      summary:
        `${countOf(counts.entrants, 'entrant was', 'entrants were')} frozen ` +
        `for drop ${number}.`,
      details: { list_hash: hash, ...counts },
      undo,
    });
  },
  async undo(transaction, { hash, hasPaused }: Undo) {
    const { number, list_hash } = await unfreezeDrop(transaction);
    if (list_hash !== hash) throw new Problem('conflict', `Drop ${number} was frozen again since.`);
    if (hasPaused) await reopenJoining(transaction);
    return { summary: `Drop ${number} is open again, without a list.` };
  },
};

/** Opens a frozen drop again, even after the undo has ended. A pause stays. */
export const unfreezeDropOperation: Operation<'unfreeze-drop'> = {
  kind: 'unfreeze-drop',
  isForOwners: true,
  lock: 'line',
  async apply(transaction) {
    const { number, list_hash } = await unfreezeDrop(transaction);
    return changeOf(number, {
      sentences: [
        `Drop ${number} is open again, and its list is deleted.`,
        'Its hash was public: the audit log keeps it. Joining stays as it is.',
      ],
      summary: `Drop ${number} was opened again, without a list.`,
      details: { list_hash },
    });
  },
};

async function unfreezeDrop(transaction: Transaction): Promise<DropRow> {
  const drop = await lockDropIn(transaction, 'frozen');
  if (drop.announced_at !== null)
    throw new Problem(
      'conflict',
      `The draw of drop ${drop.number} is announced: the list stays, or the drop is closed.`,
    );
  await deleteEntrants(transaction, drop.number);
  const reopened = { state: 'open', frozen_at: null, salt: null, list_hash: null } as const;
  await updateDrop(transaction, drop.number, reopened);
  return drop;
}

function describe(
  { entrants, doubted, held_credits, with_wish }: DropFacts['entrants'],
  members: number,
  message: string | undefined,
): string[] {
  return [
    `The first ${entrants === 1 ? 'member' : countOf(entrants, 'member')} of ` +
      `${members.toLocaleString('en-US')} ${entrants === 1 ? 'is' : 'are'} frozen, ` +
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
