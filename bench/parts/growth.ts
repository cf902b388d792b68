import pg from 'pg';
import { apiPaths } from '../../contract/paths.ts';
import type { Stats } from '../../contract/schemas.ts';
import { startBaseline } from '../baseline/start-baseline.ts';
import { fill, startProduct, writeSample } from '../checkout.ts';
import { type Measured, measure, medianOf } from '../load/closed-loop.ts';
import { definePart, TARGET_IN_FLIGHT } from '../part.ts';
import { megabytes, orDash, short, table, whole } from '../report/markdown.ts';
import { ratio } from '../report/targets.ts';
import { RESULTS } from './speed.ts';

type SizeFigures = {
  readonly checkout: string;
  readonly members: number;
  readonly bytes: number;
  readonly statusRead: Measured;
  readonly join: Measured;
  readonly membersAfter: number;
};

const OPTIONS = {
  sizes: [10_000, 1_000_000, 10_000_000],
  members: 1_000_000,
  seconds: 3,
  warmUp: 5,
  rounds: 3,
};
/** Only the SELECT and the INSERT of the baseline are measured here, not its constant answer. */
const ANSWER_BYTES = 260;
/** All servers are open at once: each sends so few mails that it does not burden the others. */
const MAIL_RATE = '0.1';
const SPEED_HEAD = [
  'members',
  'after',
  'status reads/s',
  'p99 ms',
  'of SELECT',
  'joins/s',
  'p99 ms',
  'of INSERT',
  'database µs a join',
  'full pages a join',
];

export const growthPart = definePart({
  name: 'growth',
  writes: RESULTS,
  options: OPTIONS,
  async measure({ options, checkouts, newPlace, log }) {
    const { sizes, seconds, warmUp, rounds, members: rows } = options;
    const servers = [];
    for (const members of sizes)
      for (const checkout of checkouts) {
        const place = await newPlace('postgres');
        await fill(checkout, place, members);
        const bytes = await databaseBytes(place.databaseUrl ?? '');
        const sampleFile = await writeSample(checkout, place);
        servers.push({
          checkout: checkout.name,
          members,
          bytes,
          target: { ...(await startProduct(checkout, place, { MAIL_RATE })), sampleFile },
          statusReads: [] as Measured[],
          joins: [] as Measured[],
        });
        log(`${checkout.name}: ${whole(members)} members are in line`);
      }
    const size = { rows, bytes: ANSWER_BYTES };
    const baseline = await startBaseline(await newPlace('postgres'), size);

    const load = { inFlight: TARGET_IN_FLIGHT, seconds, warmUpSeconds: warmUp };
    const [selects, inserts]: [Measured[], Measured[]] = [[], []];
    for (let round = 1; round <= rounds; round += 1) {
      selects.push(await measure(baseline, { kind: 'select', ...load }));
      for (const { target, statusReads } of servers)
        statusReads.push(await measure(target, { kind: 'status', ...load }));
      inserts.push(await measure(baseline, { kind: 'insert', ...load }));
      for (const { target, joins } of servers)
        joins.push(await measure(target, { kind: 'join', ...load }));
      log(`round ${round} of ${rounds} measured`);
    }

    const figures: SizeFigures[] = [];
    for (const { target, statusReads, joins, ...size } of servers) {
      const stats = (await (await fetch(target.url + apiPaths.stats)).json()) as Stats;
      await target.stop();
      const medians = { statusRead: medianOf(statusReads), join: medianOf(joins) };
      figures.push({ ...size, ...medians, membersAfter: stats.total_signups });
    }
    await baseline.stop();
    return { select: medianOf(selects), insert: medianOf(inserts), sizes: figures };
  },
  targets({ sizes }) {
    const own = sizes.filter(({ checkout }) => checkout === sizes[0]?.checkout);
    const [smallest, largest] = [own[0], own.at(-1)];
    if (smallest === undefined || largest === undefined || smallest === largest) return [];
    const at = `PostgreSQL, ${whole(largest.members)} members beside ${whole(smallest.members)}`;
    const beside = (what: string, of: 'join' | 'statusRead') =>
      ratio(`${at}: ${what}`, 0.8, largest[of].perSecond, smallest[of].perSecond);
    return [beside('join', 'join'), beside('status read', 'statusRead')];
  },
  describe({ sizes, select, insert }) {
    const isAlone = sizes.every(({ checkout }) => checkout === sizes[0]?.checkout);
    const nameOf = ({ members, checkout }: SizeFigures) =>
      isAlone ? whole(members) : `${whole(members)}, ${checkout}`;
    const speeds = sizes.map((size) => [
      nameOf(size),
      whole(size.membersAfter),
      whole(size.statusRead.perSecond),
      short(size.statusRead.p99Ms),
      (size.statusRead.perSecond / select.perSecond).toFixed(2),
      whole(size.join.perSecond),
      short(size.join.p99Ms),
      (size.join.perSecond / insert.perSecond).toFixed(2),
      orDash(size.join.databaseUs, whole),
      orDash(size.join.fullPageImages, (images) => images.toFixed(2)),
    ]);
    const resting = sizes.map((size) => [
      nameOf(size),
      megabytes(size.bytes),
      size.members < 100_000 ? '–' : megabytes((size.bytes / size.members) * 1e6),
    ]);
    const baselines = ['baseline', '', whole(select.perSecond), '', '', whole(insert.perSecond)];
    return [
      '## Growth',
      table(SPEED_HEAD, [...speeds, [...baselines, '', '', '', '']]),
      table(['members', 'database', 'a million members'], resting),
    ].join('\n\n');
  },
});

async function databaseBytes(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const size = 'select pg_database_size(current_database())::float8 as bytes';
  const { rows } = await client.query<{ bytes: number }>(size);
  await client.end();
  return rows[0]?.bytes ?? 0;
}
