import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { all, only, value } from '../db/rows.ts';
import { DAY_MS, HOUR_MS } from '../durations.ts';
import type { RecentAnswers } from '../http/recent-answers.ts';
import type { Source } from '../line/sources/source-rules.ts';
import { sourceColumns } from '../line/sources/source-store.ts';

export type Wait = { readonly minutes: number; readonly members: number };

/** The time that one query covers: on the embedded engine joins wait for each. */
const PIECE_MS = DAY_MS;
const COHORT_PIECE_MS = 30 * DAY_MS;
/** By then all servers have added what they counted. */
const SETTLED_AFTER_MS = HOUR_MS;

export type Buckets = {
  /** Milliseconds since 1970: where each one starts, and where the last one ends. */
  readonly starts: readonly number[];
  readonly key: string;
  readonly keep: RecentAnswers<readonly unknown[]>;
};

type Row<Counts> = Counts & { readonly bucket: number };
type BySource = { readonly source_id: number };
type JoinCounts = BySource & { readonly joins: number; readonly invited: number };
type VisitCounts = BySource & { readonly page: 'landing' | 'invite'; readonly visits: number };
type CohortCounts = Readonly<Record<'shared' | 'friends' | 'with_friend', number>>;

export const readJoinCounts = (database: Database, buckets: Buckets) =>
  readPieces<JoinCounts>(database, buckets, {
    table: 'join_count',
    pieceMs: PIECE_MS,
    groupBy: sql`1, 2`,
    counts: sql`source_id, sum(joins) as joins, sum(invited) as invited`,
  });

export const readVisitCounts = (database: Database, buckets: Buckets) =>
  readPieces<VisitCounts>(database, buckets, {
    table: 'visit_count',
    pieceMs: PIECE_MS,
    groupBy: sql`1, 2, 3`,
    counts: sql`source_id, page, sum(visits) as visits`,
  });

/** Not cached, because an old cohort may bring friends today. */
export const readCohortCounts = (database: Database, { starts, key }: Buckets) =>
  readPieces<CohortCounts>(
    database,
    { starts, key, keep: (_key, read) => read() },
    {
      table: 'cohort_count',
      pieceMs: COHORT_PIECE_MS,
      groupBy: sql`1`,
      counts: sql`sum(shared) as shared, sum(friends) as friends, sum(with_friend) as with_friend`,
    },
  );

type Counted = {
  readonly table: string;
  readonly pieceMs: number;
  readonly groupBy: RawBuilder<unknown>;
  readonly counts: RawBuilder<unknown>;
};

async function readPieces<Counts>(
  { kysely }: Database,
  { starts, key, keep }: Buckets,
  { table, pieceMs, groupBy, counts }: Counted,
): Promise<Row<Counts>[]> {
  const texts = starts.map((start) => new Date(start).toISOString());
  const end = starts.at(-1) ?? 0;
  const found: Row<Counts>[] = [];
  for (let from = starts[0] ?? 0; from < end; from += pieceMs) {
    const to = Math.min(end, from + pieceMs);
    const query = sql<Row<Counts>>`
      select width_bucket(quarter, ${texts}::timestamptz[]) - 1 as bucket, ${counts}
      from ${sql.table(table)} where quarter >= ${new Date(from)} and quarter < ${new Date(to)}
      group by ${groupBy}`;
    const read = async () => (await query.execute(kysely)).rows;
    const isSettled = to < Date.now() - SETTLED_AFTER_MS;
    const rows = isSettled ? await keep(`${table} ${from} ${key}`, read) : await read();
    found.push(...(rows as Row<Counts>[]));
  }
  return found;
}

export function readWaits({ kysely }: Database) {
  return all<Wait>(kysely)`
    select minutes, members from friend_wait order by minutes
  `;
}

export type KnownSource = Source & { readonly id: number; readonly is_pinned: boolean };

export function readSources({ kysely }: Database, ids: readonly number[]) {
  return all<KnownSource>(kysely)`
    select id, ${sourceColumns}, is_pinned from source
    where id = any(${[...ids]}::integer[]) or is_pinned
  `;
}

export function readLength({ kysely }: Database) {
  return only<{ members: number; uncounted: number }>(kysely)`
    select total as members, greatest(0, line_state.next_sequence - join_cursor.next_sequence)
      as uncounted
    from line_state, join_cursor
  `;
}

export async function readEvents(
  { kysely }: Database,
  since: Date,
): Promise<ReadonlyMap<string, number>> {
  const rows = await all<{ event: string; events: number }>(kysely)`
    select event, sum(events) as events from event_count where quarter >= ${since} group by 1
  `;
  return new Map(rows.map(({ event, events }) => [event, events]));
}

export function readDatabaseBytes({ kysely }: Database) {
  return value<number>(kysely)`
    select pg_database_size(current_database()) as bytes
  `;
}

type Top = { readonly members: number; readonly friends: number; readonly unconfirmed: number };

export function readTop({ kysely }: Database, first: number) {
  return only<Top>(kysely)`
    select count(*)::integer as members, coalesce(sum(ahead.referral_count), 0)::integer as friends,
      coalesce(sum(counting_friends(0, ahead.unconfirmed)), 0)::integer as unconfirmed
    from (select * from standing order by sort_key limit ${first}::integer) ahead
  `;
}
