import { sql } from 'kysely';
import { PASS_STATES } from '../../contract/drop/states.ts';
import type { Subject } from '../access/audit/audit-store.ts';
import type { Applied } from '../changes/operation.ts';
import type { Reader } from '../db/database.ts';
import { first, run, value } from '../db/rows.ts';
import type { DropChange, DropRow } from '../db/schema/feature-tables.ts';
import { lock, type Transaction } from '../db/transaction.ts';
import { conflict, Problem } from '../problem.ts';

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

/** The last one without a number. */
export function readDrop({ kysely }: Reader, number: number | null = null) {
  return first<DropRow>(kysely)`
    select * from mask_drop where number = coalesce(${number}::integer, number)
    order by number desc limit 1
  `;
}

export async function updateDrop(
  transaction: Transaction,
  number: number,
  change: DropChange,
): Promise<void> {
  await transaction.updateTable('mask_drop').set(change).where('number', '=', number).execute();
}

export function insertDrop(transaction: Transaction, number: number) {
  return run(transaction)`insert into mask_drop (number) values (${number})`;
}

export function readNow({ kysely }: Reader) {
  return value<Date>(kysely)`select clock_timestamp() as now`;
}

const PASSES = sql.join(PASS_STATES.map((state) => sql.lit(state)));
export const IS_PASS = sql`state in (${PASSES})`;

/** Indexes have the same words. */
export const TAKES_MASK = sql`state in ('open', ${PASSES})`;
