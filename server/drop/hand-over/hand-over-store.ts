/** Rows of the files of a drop. Each file is read by one query, and so from one snapshot. */
import type { Cell } from '../../csv/csv-rules.ts';
import type { Database, Reader } from '../../db/database.ts';
import { all } from '../../db/rows.ts';
import { WENT_BACK } from '../offers/offer-store.ts';
import type { PackedParcel } from './carrier-rules.ts';
import type { KnownPass } from './reconcile-rules.ts';

/** A row by the names of its columns, which the file puts in their order. */
export type FileRow = Readonly<Record<string, Cell | Date | readonly string[]>>;

export function readFrozen({ kysely }: Reader, drop: number) {
  return all<FileRow>(kysely)`
    select position, member_id, member.email, points, held_credits, sizes, takes_any
    from entrant left join member on member.id = entrant.member_id
    where drop_number = ${drop}::integer order by position
  `;
}

export function readChosen({ kysely }: Reader, drop: number) {
  return all<FileRow>(kysely)`
    select draw_order, position, member_id, member.email, chosen_size as size
    from entrant left join member on member.id = entrant.member_id
    where drop_number = ${drop}::integer and chosen_size is not null order by draw_order
  `;
}

type UsableCode = { readonly code: string; readonly size: string | null };

export function readUsableCodes({ kysely }: Reader, drop: number) {
  return all<UsableCode>(kysely)`
    select code, size from offer
    where drop_number = ${drop}::integer and state = 'accepted'
    union all
    select code, size from shop_code where taken_by is null and tier_level is null
    order by size nulls last, code
  `;
}

export function readPasses({ kysely }: Reader) {
  return all<KnownPass>(kysely)`
    select code, drop_number as drop, state, size, shop_order as "order", member.email
    from offer left join member on member.id = offer.member_id
    where code is not null
    order by offered_at, offer.id
  `;
}

type PackedRow = PackedParcel & {
  readonly size: string;
  readonly order: string;
  readonly has_left: boolean;
};

export function readUnsent({ kysely }: Database, drop: number) {
  return all<PackedRow>(kysely)`
    select code, offer.size, shop_order as "order", parcel.address,
      coalesce(member.email, parcel.email) as email, member.id is null as has_left,
      ${WENT_BACK} as went_back
    from offer
    left join parcel on parcel.offer_id = offer.id
    left join member on member.id = offer.member_id
    where drop_number = ${drop}::integer and state = 'paid'
    order by offer.size, code
  `;
}
