import {
  MAX_BUCKETS,
  type Overview,
  type OverviewRequest,
} from '../../contract/operator/overview.ts';
import { SOURCE_FIELDS } from '../../contract/sources.ts';
import type { Database } from '../db/database.ts';
import { DAY_MS } from '../durations.ts';
import { countJoins } from '../line/funnel/count-joins.ts';
import type { Source } from '../line/sources/source-rules.ts';
import { readMoment } from '../moment-field-rules.ts';
import { invalidField } from '../problem.ts';
import {
  type Buckets,
  type KnownSource,
  readCohortCounts,
  readJoinCounts,
  readLength,
  readSources,
  readVisitCounts,
  readWaits,
  type Wait,
} from './overview-store.ts';
import { type Bucket, isTimeZone, listStarts } from './time-zone-rules.ts';

/** The newest joins are counted for so long, and the answer goes without the rest. */
const COUNT_MS = 100;
const MAX_SOURCES = 200;
/** The source of what could not be told apart, or was forgotten. */
const OTHER = 1;
const DEFAULT_MS: Readonly<Record<Bucket, number>> = { hour: DAY_MS, day: 30 * DAY_MS };

export async function getOverview(
  database: Database,
  request: OverviewRequest,
  keep: Buckets['keep'] = (_key, ask) => ask(),
): Promise<Overview> {
  const now = new Date();
  const { bucket = 'day', tz: timeZone = 'UTC' } = request;
  if (!isTimeZone(timeZone)) throw invalidField('tz is not the name of a time zone.');
  const to = readMoment('to', request.to)?.getTime() ?? now.getTime();
  const from = readMoment('from', request.from)?.getTime() ?? to - DEFAULT_MS[bucket];
  if (from > to) throw invalidField('from must not be later than to.');
  const starts = listStarts({ from, to }, { bucket, timeZone, max: MAX_BUCKETS });
  if ((starts.at(-1) ?? to) < to)
    throw invalidField(`At most ${MAX_BUCKETS} hours or days can be shown.`);

  await countJoins(database, { maxMs: COUNT_MS });
  const shown = { starts, key: `${timeZone} ${bucket} ${starts[0]} ${starts.length}`, keep };
  const counts = starts.slice(0, -1).map(() => ({ ...NOTHING }));
  const sources = new Map<number, SourceCounts>();
  function countsOf(source: number): SourceCounts {
    const counts = sources.get(source) ?? { visits: 0, joins: 0, invited: 0 };
    sources.set(source, counts);
    return counts;
  }
  const { members, uncounted } = await readLength(database);
  for (const { bucket, source_id, joins, invited } of await readJoinCounts(database, shown)) {
    add(counts[bucket], { joins, invited });
    add(countsOf(source_id), { joins, invited });
  }
  for (const { bucket, source_id, page, visits } of await readVisitCounts(database, shown)) {
    add(counts[bucket], { visits, invite_visits: page === 'invite' ? visits : 0 });
    add(countsOf(source_id), { visits });
  }
  for (const { bucket, ...cohort } of await readCohortCounts(database, shown))
    add(counts[bucket], cohort);

  const totals = { ...NOTHING };
  for (const each of counts) add(totals, each);
  const names = await readSources(database, [OTHER, ...sources.keys()]);
  const ids = new Set(names.map(({ id }) => id));
  for (const [id, forgotten] of [...sources]) if (!ids.has(id)) add(countsOf(OTHER), forgotten);
  const named = orderSources(
    names
      .filter(({ id, is_pinned }) => sources.has(id) || is_pinned)
      .map(({ id, ...source }) => ({ ...source, ...countsOf(id) })),
  );
  const listed = named.filter(({ is_pinned }, index) => index < MAX_SOURCES || is_pinned);
  return {
    generated_at: now.toISOString(),
    time_zone: timeZone,
    from: new Date(starts[0] ?? from).toISOString(),
    to: new Date(starts.at(-1) ?? to).toISOString(),
    members,
    uncounted,
    totals,
    invited_share: ratio(totals.invited, totals.joins),
    k_factor: ratio(totals.friends, totals.joins),
    buckets: counts.map((each, index) => ({
      starts_at: new Date(starts[index] ?? from).toISOString(),
      ...each,
      k_factor: ratio(each.friends, each.joins),
    })),
    first_friend: describeWaits(await readWaits(database)),
    sources: listed,
    left_off_sources: named.length - listed.length,
    channels: sumChannels(named.filter(({ joins, visits }) => joins + visits > 0)),
  };
}

const NOTHING = {
  visits: 0,
  invite_visits: 0,
  joins: 0,
  invited: 0,
  shared: 0,
  with_friend: 0,
  friends: 0,
};

function add<Counts extends Record<string, number>>(
  sums: Counts | undefined,
  counts: NoInfer<Partial<Counts>>,
): void {
  if (sums === undefined) return;
  for (const name of Object.keys(counts) as (keyof Counts)[])
    sums[name] = ((sums[name] ?? 0) + (counts[name] ?? 0)) as Counts[keyof Counts];
}

const WAIT_STEPS_MINUTES = [0, 10, 60, 360, 1440, 4320, 10_080, 20_160] as const;

function describeWaits(waits: readonly Wait[]) {
  const members = waits.reduce((sum, wait) => sum + wait.members, 0);
  return {
    members,
    quartiles:
      members === 0 ? null : [0.25, 0.5, 0.75].map((share) => quantile(waits, members * share)),
    histogram: WAIT_STEPS_MINUTES.map((from, index) => {
      const to = WAIT_STEPS_MINUTES[index + 1] ?? null;
      const inside = waits.filter(
        ({ minutes }) => minutes >= from && (to === null || minutes < to),
      );
      return {
        from_minutes: from,
        to_minutes: to,
        members: inside.reduce((sum, wait) => sum + wait.members, 0),
      };
    }),
  };
}

function quantile(waits: readonly Wait[], wanted: number): number {
  let passed = 0;
  for (const { minutes, members } of waits) {
    passed += members;
    if (passed >= wanted) return minutes;
  }
  return 0;
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

type SourceCounts = { visits: number; joins: number; invited: number };
type CountedSource = Omit<KnownSource, 'id'> & SourceCounts;

function orderSources(sources: readonly CountedSource[]): CountedSource[] {
  const name = (source: Source) => SOURCE_FIELDS.map((field) => source[field]).join('\0');
  return sources.toSorted((a, b) => compareCounts(a, b) || (name(a) < name(b) ? -1 : 1));
}

type Visited = Pick<SourceCounts, 'joins' | 'visits'>;
const compareCounts = (a: Visited, b: Visited) => b.joins - a.joins || b.visits - a.visits;

function sumChannels(sources: readonly CountedSource[]) {
  const channels = new Map<string, Visited & { via: string }>();
  for (const { via, visits, joins } of sources) {
    const sum = channels.get(via) ?? { via, visits: 0, joins: 0 };
    channels.set(via, { via, visits: sum.visits + visits, joins: sum.joins + joins });
  }
  return [...channels.values()].toSorted((a, b) => compareCounts(a, b) || (a.via < b.via ? -1 : 1));
}
