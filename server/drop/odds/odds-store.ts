import type { Odds } from '../../../contract/drop/drop-views.ts';
import type { Reader } from '../../db/database.ts';
import { all, only } from '../../db/rows.ts';
import { IS_PASS } from '../offers/offer-store.ts';

export type Reach = {
  readonly memberId: string;
  readonly canReturn: boolean;
  readonly isMailed: boolean;
};

export function readReach({ kysely }: Reader, ids: readonly string[]) {
  return all<Reach>(kysely)`
    select member.id as "memberId",
      not exists (
        select from mail_suppression where member_id = member.id and reason <> 'stopped'
      ) as "isMailed",
      exists (
        select from entrant cross join mask_size mask
        where entrant.drop_number = last.number and entrant.member_id = member.id
          and draw_order is not null and last.state in ('selected', 'offering')
          and (last.enter_until is null or exists (
            select from checkout where checkout.drop_number = last.number
              and checkout.member_id = member.id and why in ('not-drawn', 'lapsed')))
          and (takes_any or mask.name = any(entrant.sizes))
          and mask.stock > (
            select coalesce(sum(quantity), 0) from allocation
            where size = mask.name and released_at is null
          ) + (
            select count(*) from offer
            where offer.size = mask.name and ${IS_PASS})
          and not exists (
            select from offer
            where offer.drop_number = last.number and offer.member_id = member.id)
      ) as "canReturn"
    from member cross join (select * from mask_drop order by number desc limit 1) last
    where member.id = any(${ids}::uuid[])
  `;
}

/** Offers whose time is over, and masks of them not taken. Cancelled passes are replaced. */
export function countDropOuts({ kysely }: Reader, number: number) {
  return only<Pick<Odds, 'masks' | 'among'>>(kysely)`
    select count(*) filter (where not ${IS_PASS})::integer as masks,
      count(*)::integer as among
    from offer where drop_number = ${number}::integer
      and state not in ('open', 'cancelled') and expires_at <= clock_timestamp()
  `;
}
