import { type RawBuilder, sql } from 'kysely';
import type { Transaction } from '../../db/transaction.ts';
import { ALL_NOTIFIED, IS_PASS } from './offer-store.ts';

type Notifying = { readonly number: number; readonly frozen_at: Date; readonly next: number };

/** Locks the drop, so that one server at a time notifies them. */
export async function readNotifying(transaction: Transaction): Promise<Notifying | null> {
  const { rows } = await sql<Notifying>`
    select number, frozen_at, others_told_until as next from mask_drop
    where others_told_until < ${ALL_NOTIFIED}::bigint order by number limit 1 for update
  `.execute(transaction);
  return rows[0] ?? null;
}

/** Holders of a mask of another drop who were left out of this one lost nothing. */
const runnersUp = ({ number, frozen_at }: Omit<Notifying, 'next'>): RawBuilder<unknown> => sql`
  member where joined_at <= ${frozen_at}::timestamptz and not exists (
    select from offer where member_id = member.id and (drop_number = ${number}::integer
      or ${IS_PASS} and not exists (
        select from entrant
        where entrant.drop_number = ${number}::integer and entrant.member_id = member.id)))`;

export async function readRunnersUp(
  transaction: Transaction,
  drop: Notifying,
  limit: number,
): Promise<{ id: string; sequence: number }[]> {
  const { rows } = await sql<{ id: string; sequence: number }>`
    select id, sequence from ${runnersUp(drop)} and sequence >= ${drop.next}::bigint
    order by sequence limit ${limit}::integer
  `.execute(transaction);
  return rows;
}

export async function countRunnersUp(
  transaction: Transaction,
  drop: Omit<Notifying, 'next'>,
): Promise<number> {
  const { rows } = await sql<{ members: number }>`
    select count(*)::integer as members from ${runnersUp(drop)}
  `.execute(transaction);
  return rows[0]?.members ?? 0;
}
