import type { Subject } from '../../changes/audit/audit-store.ts';
import type { Applied } from '../../changes/operation.ts';
import type { Reader } from '../../db/database.ts';
import { lock, type Transaction } from '../../db/transaction.ts';
import { conflict, Problem } from '../../problem.ts';
import { type DropRow, readDrop } from './drop-store.ts';

export async function getDrop(database: Reader): Promise<DropRow> {
  const drop = await readDrop(database);
  if (drop === null) throw new Error('There is no drop.');
  return drop;
}

export async function getDropNumber(
  database: Reader,
  wanted: number | string | undefined,
): Promise<number> {
  const { number: last } = await getDrop(database);
  const drop = Number(wanted ?? last);
  if (drop > last) throw new Problem('unknown_path', `There is no drop ${drop}.`);
  return drop;
}

/** The last drop, while nobody else moves it, makes offers, or changes stock. */
export async function lockDrop(transaction: Transaction): Promise<DropRow> {
  await lock(transaction, 'sizes');
  return await getDrop({ kysely: transaction });
}

export async function lockDropIn(
  transaction: Transaction,
  ...states: readonly DropRow['state'][]
): Promise<DropRow> {
  const drop = await lockDrop(transaction);
  if (!states.includes(drop.state))
    throw conflict(
      `Drop ${drop.number} is ${drop.state}: this needs one that is ${states.join(' or ')}.`,
    );
  return drop;
}

export async function assertSizesFree(transaction: Transaction): Promise<void> {
  const { number, state } = await lockDrop(transaction);
  if (state !== 'open' && state !== 'closed')
    throw conflict(`Drop ${number} is ${state}: its sizes keep their names.`);
}

export function drawHashOf({ announcement_hash, list_hash }: DropRow): string | null {
  return announcement_hash ?? list_hash;
}

export function dropSubject(number: number): Subject {
  return { kind: 'drop', id: String(number) };
}

export function changeOf(number: number, change: Omit<Applied, 'subject'>): Applied {
  return { ...change, subject: dropSubject(number) };
}
