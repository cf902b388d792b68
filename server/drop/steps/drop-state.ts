/** The state of the last drop, which everything else about launch day follows. */
import type { Announcement } from '../../../contract/drop/draw-record.ts';
import type { Subject } from '../../changes/audit/audit-store.ts';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../db/transaction.ts';
import { Problem } from '../../problem.ts';
import { type DropRow, readDrop, readLockedDrop } from './drop-store.ts';

type DropState = DropRow['state'];

/** The last drop; there always is one. */
export async function getDrop(database: Pick<Database, 'kysely'>): Promise<DropRow> {
  const drop = await readDrop(database);
  if (drop === null) throw new Error('There is no drop.');
  return drop;
}

/** The last drop, locked, if it is in that state. Throws Problem conflict. */
export async function lockDropIn(
  transaction: Transaction,
  ...states: readonly DropState[]
): Promise<DropRow> {
  const drop = await readLockedDrop(transaction);
  if (!states.includes(drop.state))
    throw new Problem(
      'conflict',
      `Drop ${drop.number} is ${drop.state}: this needs one that is ${states.join(' or ')}.`,
    );
  return drop;
}

/** Throws Problem conflict while masks of the sizes are announced or offered by their names. */
export async function assertSizesFree(transaction: Transaction): Promise<void> {
  const { number, state } = await readLockedDrop(transaction);
  if (state !== 'open' && state !== 'closed')
    throw new Problem('conflict', `Drop ${number} is ${state}: its sizes keep their names.`);
}

/** Null before the draw is announced. */
export function announcementOf({ announcement }: DropRow): Announcement | null {
  return announcement as Announcement | null;
}

export function dropSubject(number: number): Subject {
  return { kind: 'drop', id: String(number) };
}
