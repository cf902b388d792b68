/** SQL of telling everybody who was not offered a mask, in the order of joining. */
import { sql } from 'kysely';
import type { Transaction } from '../../db/transaction.ts';
import { ALL_TOLD } from './offer-store.ts';

/** A drop whose others are being told, and the sequence of the next one. */
type Telling = { readonly number: number; readonly frozen_at: Date; readonly next: number };

/** Locked, so that one server at a time tells them. */
export async function readTelling(transaction: Transaction): Promise<Telling | null> {
  const { rows } = await sql<Telling>`
    select number, frozen_at, others_told_until as next from mask_drop
    where others_told_until < ${ALL_TOLD}::bigint order by number limit 1 for update
  `.execute(transaction);
  return rows[0] ?? null;
}

/** Members in line since before the freeze, without an offer of the drop. */
export async function readOthers(
  transaction: Transaction,
  { number, frozen_at, next }: Telling,
  limit: number,
): Promise<{ id: string; sequence: number }[]> {
  const { rows } = await sql<{ id: string; sequence: number }>`
    select id, sequence from member
    where sequence >= ${next}::bigint and joined_at <= ${frozen_at}::timestamptz
      and not exists (
        select from offer where drop_number = ${number}::integer and member_id = member.id)
    order by sequence limit ${limit}::integer
  `.execute(transaction);
  return rows;
}

export async function countOthers(
  transaction: Transaction,
  { number, frozen_at }: Omit<Telling, 'next'>,
): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    select count(*)::integer as others from member
    where joined_at <= ${frozen_at}::timestamptz and not exists (
      select from offer where drop_number = ${number}::integer and member_id = member.id)
  `.execute(transaction);
  return rows[0]?.others ?? 0;
}

/** Null: everybody was told. */
export async function writeTold(
  transaction: Transaction,
  { number, next }: { number: number; next: number | null },
): Promise<void> {
  await transaction
    .updateTable('mask_drop')
    .set({ others_told_until: next ?? ALL_TOLD })
    .where('number', '=', number)
    .execute();
}
