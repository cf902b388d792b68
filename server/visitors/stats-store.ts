import type { Selectable } from 'kysely';
import type { MaskSize } from '../../contract/operator/masks.ts';
import type { Database } from '../db/database.ts';
import { column, only } from '../db/rows.ts';
import type { Tables } from '../db/schema/tables.ts';
import { TAKEN_SIZES } from '../drop/stock/store.ts';

type Tally = { readonly referral_count: number; readonly members: number };
export type StatsRow = {
  readonly total: number;
  readonly state: Selectable<Tables['mask_drop']>['state'];
  readonly sizes: readonly Pick<MaskSize, 'stock' | 'allocated' | 'offered'>[];
  readonly tallies: readonly Tally[];
};

/** One statement: on the embedded engine each costs a quarter of a millisecond. */
export function readStats({ kysely }: Database, tallies: number) {
  return only<StatsRow>(kysely)`
    select
      (select total from line_state) as total,
      (select state from mask_drop order by number desc limit 1) as state,
      (select coalesce(json_agg(size), '[]') from (
        select stock, allocated, offered from (${TAKEN_SIZES}) every
      ) size) as sizes,
      (select coalesce(json_agg(tally), '[]') from (
        select referral_count, members from referral_tally order by referral_count desc
        limit ${tallies}
      ) tally) as tallies
  `;
}

export function readFirstCodes({ kysely }: Database, first: number) {
  return column<string>(kysely)`
    select member.referral_code as code
    from (select member_id, sort_key from standing order by sort_key limit ${first}::integer) ahead
    join member on member.id = ahead.member_id order by ahead.sort_key
  `;
}
