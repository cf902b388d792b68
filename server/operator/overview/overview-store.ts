/** Reads the counts of the overview, in queries of some milliseconds each. */
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Source } from '../../line/sources/source-rules.ts';
import type { Wait } from './overview-rules.ts';

/** Read at once. On the embedded engine joins wait for each query. */
const PIECE_MS = 7 * 24 * 3_600_000;

/** Milliseconds since 1970: the starts of the buckets, and the end of the last one. */
export type Starts = readonly number[];

type Row<Counts> = Counts & { readonly bucket: number };

export type JoinCounts = {
  readonly source_id: number;
  readonly joins: number;
  readonly invited: number;
};
export type VisitCounts = {
  readonly source_id: number;
  readonly page: 'landing' | 'invite';
  readonly visits: number;
};
export type CohortCounts = {
  readonly shared: number;
  readonly friends: number;
  readonly with_friend: number;
};

/** Their `bucket` is a place in `starts`. */
export const readJoinCounts = (database: Database, starts: Starts) =>
  readPieces<JoinCounts>(
    database,
    starts,
    (bucket, within) => sql`
      select ${bucket} as bucket, source_id, sum(joins) as joins, sum(invited) as invited
      from join_count where ${within} group by 1, 2`,
  );

export const readVisitCounts = (database: Database, starts: Starts) =>
  readPieces<VisitCounts>(
    database,
    starts,
    (bucket, within) => sql`
      select ${bucket} as bucket, source_id, page, sum(visits) as visits
      from visit_count where ${within} group by 1, 2, 3`,
  );

export const readCohortCounts = (database: Database, starts: Starts) =>
  readPieces<CohortCounts>(
    database,
    starts,
    (bucket, within) => sql`
      select ${bucket} as bucket, sum(shared) as shared, sum(friends) as friends,
        sum(with_friend) as with_friend
      from cohort_count where ${within} group by 1`,
  );

async function readPieces<Counts>(
  { kysely }: Database,
  starts: Starts,
  select: (bucket: RawBuilder<unknown>, within: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<Row<Counts>[]> {
  const texts = starts.map((start) => new Date(start).toISOString());
  const bucket = sql`width_bucket(quarter, ${texts}::timestamptz[]) - 1`;
  const end = starts.at(-1) ?? 0;
  const found: Row<Counts>[] = [];
  for (let from = starts[0] ?? 0; from < end; from += PIECE_MS) {
    const to = Math.min(end, from + PIECE_MS);
    const within = sql`quarter >= ${new Date(from)} and quarter < ${new Date(to)}`;
    const { rows } = await (select(bucket, within) as RawBuilder<Row<Counts>>).execute(kysely);
    found.push(...rows);
  }
  return found;
}

/** In rising order; at most 9,000. */
export async function readWaits({ kysely }: Database): Promise<Wait[]> {
  const { rows } = await sql<Wait>`
    select minutes, members from friend_wait order by minutes
  `.execute(kysely);
  return rows;
}

export async function readSources(
  { kysely }: Database,
  ids: readonly number[],
): Promise<(Source & { readonly id: number })[]> {
  const { rows } = await sql<Source & { id: number }>`
    select * from source where id = any(${[...ids]}::integer[])
  `.execute(kysely);
  return rows;
}

/** How many are in line, and how many of the last to join are not counted yet. */
export async function readLength({
  kysely,
}: Database): Promise<{ members: number; uncounted: number }> {
  const { rows } = await sql<{ members: number; uncounted: number }>`
    select total as members, greatest(0, line_state.next_sequence - join_cursor.next_sequence)
      as uncounted
    from line_state, join_cursor
  `.execute(kysely);
  return rows[0] ?? { members: 0, uncounted: 0 };
}

/** Since a moment. */
export async function readEvents(
  { kysely }: Database,
  since: Date,
): Promise<{ event: string; events: number }[]> {
  const { rows } = await sql<{ event: string; events: number }>`
    select event, sum(events) as events from event_count where quarter >= ${since} group by 1
  `.execute(kysely);
  return rows;
}
