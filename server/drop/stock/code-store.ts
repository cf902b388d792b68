import type { Reader } from '../../db/database.ts';
import { all, column, only } from '../../db/rows.ts';
import type { Transaction } from '../../db/transaction.ts';

export function countCodes({ kysely }: Reader) {
  return all<{ size: string | null; imported: number; free: number }>(kysely)`
    select size, count(*)::integer as imported,
      (count(*) filter (where taken_by is null))::integer as free
    from shop_code where tier_level is null group by size
  `;
}

export function insertCodes(
  transaction: Transaction,
  { codes, size, tier }: { codes: readonly string[]; size: string | null; tier: number | null },
) {
  return column<string>(transaction)`
    insert into shop_code (code, size, tier_level)
    select code, ${size}::text, ${tier}::integer from unnest(${codes}::text[]) as given (code)
    where not exists (select from offer where offer.code = given.code)
    on conflict do nothing returning code
  `;
}

/** Claims a code for an offer, one of its size first; null when no code is left or imported. */
export function takeCode(
  transaction: Transaction,
  { offerId, size }: { offerId: string; size: string },
) {
  return only<{ code: string | null; isImporting: boolean }>(transaction)`
    with taken as (
      update shop_code set taken_by = ${offerId}::uuid
      where code = (
        select code from shop_code
        where taken_by is null and tier_level is null and (size = ${size} or size is null)
        order by size nulls last, imported_at, code limit 1 for update skip locked)
      returning code)
    select (select code from taken) as code,
      exists (select from shop_code where tier_level is null) as "isImporting"
  `;
}

export function deleteFreeCodes(transaction: Transaction, codes: readonly string[]) {
  return column<string>(transaction)`
    delete from shop_code where code = any(${codes}::text[]) and taken_by is null returning code
  `;
}
