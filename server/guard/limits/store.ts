import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';

const DELETED_AT_ONCE = 5_000;

/** Moments are milliseconds since 1970, by the database's clock. */
type CountRow = {
  readonly rule: string;
  readonly key: string;
  readonly began_ms: number;
  readonly count: number;
};

export type AddedRow = CountRow & { readonly expires_ms: number };

export type Settled = {
  readonly databaseMs: number;
  readonly rows: readonly CountRow[];
};

/** Returns totals and counts of the last `sinceMs`. A fixed order prevents deadlocks. */
export async function settleCounts(
  { kysely }: Database,
  { added, sinceMs }: { added: readonly AddedRow[]; sinceMs: number },
): Promise<Settled> {
  const { rows } = await sql<Row>`
    with added as (
      select rule, key, to_timestamp(began_ms / 1000) as began_at, count,
        to_timestamp(expires_ms / 1000) as expires_at
      from json_to_recordset(${JSON.stringify(added)}::json)
        as row (rule text, key text, began_ms float8, count integer, expires_ms float8)
    ), settled as (
      insert into limit_count as kept (rule, key, began_at, count, expires_at)
      select * from added order by rule, key, began_at
      on conflict (rule, key, began_at) do update set
        count = greatest(0, kept.count + excluded.count), settled_at = clock_timestamp()
      returning rule, key, began_at, count
    )
    select rule, key, ${BEGAN_MS} as began_ms, count, ${now()} as database_ms from settled
    union all
    select rule, key, ${BEGAN_MS}, count, ${now()} from limit_count
    where settled_at > clock_timestamp() - make_interval(secs => ${sinceMs}::float8 / 1000)
      and not exists (
        select from added where (added.rule, added.key, added.began_at)
          = (limit_count.rule, limit_count.key, limit_count.began_at))
    union all
    select '', '', 0, 0, ${now()}
  `.execute(kysely);
  return settledOf(rows);
}

export async function readCounts({ kysely }: Database): Promise<Settled> {
  const { rows } = await sql<Row>`
    select rule, key, ${BEGAN_MS} as began_ms, count, ${now()} as database_ms
    from limit_count where expires_at > clock_timestamp()
    union all
    select '', '', 0, 0, ${now()}
  `.execute(kysely);
  return settledOf(rows);
}

export async function deleteExpiredCounts({ kysely }: Database): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from limit_count where ctid = any(array(
        select ctid from limit_count where expires_at < clock_timestamp()
        limit ${DELETED_AT_ONCE} for update skip locked))`.execute(kysely);
    if (numAffectedRows < DELETED_AT_ONCE) return;
    await letOthersIn();
  }
}

type Row = CountRow & { readonly database_ms: number };

const BEGAN_MS = sql`round(extract(epoch from began_at) * 1000)::float8`;

const now = () => sql`extract(epoch from clock_timestamp())::float8 * 1000`;

function settledOf(rows: readonly Row[]): Settled {
  return { databaseMs: rows.at(-1)?.database_ms ?? 0, rows: rows.slice(0, -1) };
}
