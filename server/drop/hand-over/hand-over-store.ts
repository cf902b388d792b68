/** SQL of what a drop hands over. Each read is one query, so what it returns is of one moment. */
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';

type Kysely = Pick<Database, 'kysely'>;

/** `email` is null for a member who has left the line. */
type OfMember = { readonly member_id: string; readonly email: string | null };

export type FrozenRow = OfMember & {
  readonly position: number;
  readonly points: number;
  readonly held_credits: number;
  readonly sizes: string[];
  readonly takes_any: boolean;
};

/** In the order of the list. */
export async function readFrozen({ kysely }: Kysely, drop: number): Promise<FrozenRow[]> {
  const { rows } = await sql<FrozenRow>`
    select position, member_id, member.email, points, held_credits, sizes, takes_any
    from entrant left join member on member.id = entrant.member_id
    where drop_number = ${drop}::integer order by position
  `.execute(kysely);
  return rows;
}

export type ChosenRow = OfMember & {
  readonly draw_order: number;
  readonly position: number;
  readonly size: string;
};

/** In the order of the draw. */
export async function readChosen({ kysely }: Kysely, drop: number): Promise<ChosenRow[]> {
  const { rows } = await sql<ChosenRow>`
    select draw_order, position, member_id, member.email, chosen_size as size
    from entrant left join member on member.id = entrant.member_id
    where drop_number = ${drop}::integer and chosen_size is not null order by draw_order
  `.execute(kysely);
  return rows;
}

export type HandedOffer = OfMember &
  Pick<
    OfferRow,
    | 'wave'
    | 'state'
    | 'size'
    | 'offered_at'
    | 'expires_at'
    | 'reminded_at'
    | 'settled_at'
    | 'code'
    | 'redeemed_at'
    | 'shop_order'
  > & { readonly draw_order: number | null };

/** In the order in which they were made. */
export async function readHandedOffers({ kysely }: Kysely, drop: number): Promise<HandedOffer[]> {
  const { rows } = await sql<HandedOffer>`
    select wave, entrant.draw_order, offer_state(offer) as state, offer.size, offer.member_id,
      member.email, offered_at, expires_at, reminded_at, settled_at, code, redeemed_at, shop_order
    from offer
    join entrant using (drop_number, member_id)
    left join member on member.id = offer.member_id
    where drop_number = ${drop}::integer
    order by wave, entrant.draw_order, offered_at, offer.id
  `.execute(kysely);
  return rows;
}

export type UsableCode = { readonly code: string; readonly size: string | null };

/** Codes of accepted passes, and imported ones that nobody has: those of each size together. */
export async function readUsableCodes({ kysely }: Kysely, drop: number): Promise<UsableCode[]> {
  const { rows } = await sql<UsableCode>`
    select code, size from offer
    where drop_number = ${drop}::integer and state = 'accepted'
    union all
    select code, size from shop_code where taken_by is null and tier_level is null
    order by size nulls last, code
  `.execute(kysely);
  return rows;
}

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
