import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';

export type PassRow = {
  readonly code: string;
  readonly drop: number;
  readonly state: 'accepted' | 'redeemed' | 'cancelled';
  readonly size: string;
  readonly order: string | null;
  readonly email: string | null;
};

/** Every pass of every drop: a code may come back long after. */
export async function readPasses({ kysely }: Pick<Database, 'kysely'>): Promise<PassRow[]> {
  const { rows } = await sql<PassRow>`
    select code, drop_number as drop, state, size, shop_order as "order", member.email
    from offer left join member on member.id = offer.member_id
    where code is not null
    order by offered_at, offer.id
  `.execute(kysely);
  return rows;
}
