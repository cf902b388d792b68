import { randomBytes } from 'node:crypto';
import { hashList, ticketOf } from '../../../contract/drop/draw-hash-rules.ts';
import type { FrozenList } from '../../../contract/drop/draw-record.ts';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { markDone } from '../schedule/schedule-store.ts';
import { lockDropIn } from './drop-state.ts';
import {
  countEntrants,
  countLine,
  type DropRow,
  deleteEntrants,
  type EntrantCounts,
  insertEntrants,
  readEntrants,
  updateDrop,
} from './drop-store.ts';

const SALT_BYTES = 16;

export type Frozen = EntrantCounts & {
  readonly number: number;
  readonly listHash: string;
  readonly members: number;
};

/**
 * Keeps the order of the first members as it is now. The caller holds the line lock, so nobody
 * joins or moves meanwhile. Throws Problem conflict.
 */
export async function freezeDrop(transaction: Transaction, first: number): Promise<Frozen> {
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

/** As if it had never been frozen. Throws Problem conflict once the draw is announced. */
export async function unfreezeDrop(transaction: Transaction): Promise<DropRow> {
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

/** The list as it is published; of a drop that is not frozen, an empty one. */
export async function readList(
  database: Pick<Database, 'kysely'>,
  { number, frozen_at, salt }: Pick<DropRow, 'number' | 'frozen_at' | 'salt'>,
): Promise<FrozenList> {
  const rows = await readEntrants(database, number);
  return {
    number,
    frozen_at: frozen_at?.toISOString() ?? '',
    salt: salt ?? '',
    entrants: rows.map(({ position, member_id, points, sizes, takes_any }) => ({
      position,
      ticket: ticketOf(salt ?? '', member_id),
      points,
      sizes,
      takes_any,
    })),
  };
}
