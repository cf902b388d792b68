import { sql } from 'kysely';
import type { DrawEntrant } from '../../../contract/drop/draw-record.ts';
import type { Database } from '../../db/database.ts';
import type { Answer, OpenOffer } from './odds-rules.ts';

type Reader = Pick<Database, 'kysely'>;

export type Reach = {
  readonly memberId: string;
  /** Whether a mask in a size that they take is free or on offer, and they come after it. */
  readonly canReturn: boolean;
  readonly isMailed: boolean;
};

/** Which of these members a mask of the last drop, and our mail, may still reach. */
export async function readReach({ kysely }: Reader, ids: readonly string[]): Promise<Reach[]> {
  const { rows } = await sql<Reach>`
    select member.id as "memberId",
      not exists (
        select from mail_suppression where member_id = member.id and reason <> 'stopped'
      ) as "isMailed",
      exists (
        select from entrant cross join mask_size mask
        where entrant.drop_number = last.number and entrant.member_id = member.id
          and draw_order is not null and last.state in ('selected', 'offering')
          and (takes_any or mask.name = any(entrant.sizes))
          and mask.stock > (
            select coalesce(sum(quantity), 0) from allocation
            where size = mask.name and released_at is null
          ) + (
            select count(*) from offer
            where offer.size = mask.name and state in ('accepted', 'redeemed'))
          and not exists (
            select from offer
            where offer.drop_number = last.number and offer.member_id = member.id)
      ) as "canReturn"
    from member cross join (select * from mask_drop order by number desc limit 1) last
    where member.id = any(${ids}::uuid[])
  `.execute(kysely);
  return rows;
}

/** Open offers, and those whose time is over. Passes that were cancelled are replaced by others. */
export async function readAnswers(
  { kysely }: Reader,
  number: number,
): Promise<{ answers: Answer[]; open: OpenOffer[] }> {
  const { rows } = await sql<Answer & OpenOffer & { isOpen: boolean; isOver: boolean }>`
    select size, state = 'open' as "isOpen",
      expires_at <= clock_timestamp() as "isOver",
      state in ('accepted', 'redeemed') as "isTaken",
      extract(epoch from least(clock_timestamp(), expires_at) - offered_at)::float8 * 1000
        as "ageMs",
      extract(epoch from least(settled_at, expires_at) - offered_at)::float8 * 1000 as "afterMs"
    from offer where drop_number = ${number}::integer and state <> 'cancelled'
  `.execute(kysely);
  const open = rows.filter(({ isOpen }) => isOpen);
  return { answers: rows.filter(({ isOpen, isOver }) => isOver && !isOpen), open };
}

type Waiting = Pick<DrawEntrant, 'sizes' | 'takes_any'> & { readonly position: number };

/** The first entrants without an offer, in draw order. */
export async function readWaiting(
  { kysely }: Reader,
  { number, limit }: { number: number; limit: number },
): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select position, sizes, takes_any from entrant join member on member.id = entrant.member_id
    where drop_number = ${number}::integer and draw_order is not null and not exists (
      select from offer
      where offer.drop_number = entrant.drop_number and offer.member_id = entrant.member_id)
    order by draw_order limit ${limit}::integer
  `.execute(kysely);
  return rows;
}
