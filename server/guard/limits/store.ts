import type { Database } from '../../db/database.ts';
import { count, only } from '../../db/rows.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import type { KeyCount } from './rate-window.ts';

const DELETED_AT_ONCE = 5_000;

/** Moments are milliseconds since 1970, by the database's clock. */
type RuleCount = KeyCount & { readonly rule: string };

type Settling = {
  readonly added: readonly (RuleCount & { readonly expiresAt: number })[];
  readonly sinceMs: number;
};

type Settled = { readonly databaseMs: number; readonly counts: readonly RuleCount[] };

/** Returns totals and counts of the last `sinceMs`. A fixed order prevents deadlocks. */
export function settleCounts({ kysely }: Database, { added, sinceMs }: Settling) {
  return only<Settled>(kysely)`
    with added as (
      select rule, key, to_timestamp("beganAt" / 1000) as began_at, count,
        to_timestamp("expiresAt" / 1000) as expires_at
      from json_to_recordset(${JSON.stringify(added)}::json)
        as row (rule text, key text, "beganAt" float8, count integer, "expiresAt" float8)
    ), settled as (
      insert into limit_count as kept (rule, key, began_at, count, expires_at)
      select * from added order by rule, key, began_at
      on conflict (rule, key, began_at) do update set
        count = greatest(0, kept.count + excluded.count), settled_at = clock_timestamp()
      returning rule, key, began_at, count
    ), read as (
      select * from settled
      union all
      select rule, key, began_at, count from limit_count
      where settled_at > clock_timestamp() - make_interval(secs => ${sinceMs}::float8 / 1000)
        and not exists (
          select from added where (added.rule, added.key, added.began_at)
            = (limit_count.rule, limit_count.key, limit_count.began_at))
    )
    select coalesce(json_agg(json_build_object('rule', rule, 'key', key, 'count', count,
        'beganAt', round(extract(epoch from began_at) * 1000))), '[]') as counts,
      extract(epoch from clock_timestamp())::float8 * 1000 as "databaseMs"
    from read
  `;
}

export async function deleteExpiredCounts({ kysely }: Database): Promise<void> {
  for (;;) {
    const deleted = await count(kysely)`
      delete from limit_count where ctid = any(array(
        select ctid from limit_count where expires_at < clock_timestamp()
        limit ${DELETED_AT_ONCE} for update skip locked))`;
    if (deleted < DELETED_AT_ONCE) return;
    await letOthersIn();
  }
}
