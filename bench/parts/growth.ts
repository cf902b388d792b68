import pg from 'pg';
import { apiPaths } from '../../contract/paths.ts';
import type { Stats } from '../../contract/schemas.ts';
import { openProduct, type Product, thisCheckout } from '../checkout.ts';
import { IN_FLIGHT, type Measured, measureRounds } from '../load/measure.ts';
import type { Part } from '../part.ts';
import { megabytes, orDash, short, table, whole } from '../report/markdown.ts';
import { ratio } from '../report/report.ts';
import { RESULTS } from './speed.ts';

/** All servers are open at once: each sends so few mails that it does not burden the others. */
const MAIL_RATE = '0.1';
const SPEED_HEAD = [
  'members',
  'after',
  'status reads/s',
  'p99 ms',
  'joins/s',
  'p99 ms',
  'database µs a join',
];

type Size = {
  readonly members: number;
  readonly membersAfter: number;
  readonly bytes: number;
  readonly reads: Measured;
  readonly joins: Measured;
};

const SIZES = [10_000, 1_000_000, 10_000_000];
const LOAD = { inFlight: IN_FLIGHT, seconds: 3, warmUpSeconds: 5 };
const ROUNDS = 3;

export const growthPart: Part = {
  name: 'growth',
  writes: RESULTS,
  scale: {
    sizes: SIZES.join(' '),
    seconds: LOAD.seconds,
    'warm-up': LOAD.warmUpSeconds,
    rounds: ROUNDS,
  },
  async measure({ newPlace, log }) {
    const servers: (Product & { members: number; bytes: number })[] = [];
    for (const members of SIZES) {
      const place = await newPlace('postgres');
      const server = await openProduct(thisCheckout, place, { members, settings: { MAIL_RATE } });
      servers.push({ ...server, members, bytes: await databaseBytes(place.databaseUrl ?? '') });
      log(`${whole(members)} members are in line`);
    }
    const measureAll = (kind: 'status' | 'join') =>
      servers.map((target) => ({ target, load: { ...LOAD, kind } }));
    const cells = await measureRounds([...measureAll('status'), ...measureAll('join')], {
      rounds: ROUNDS,
      log,
    });
    const measured: Size[] = [];
    for (const [index, { url, members, bytes }] of servers.entries()) {
      const stats = (await (await fetch(url + apiPaths.stats)).json()) as Stats;
      const [reads, joins] = [cells[index], cells[servers.length + index]] as [Measured, Measured];
      measured.push({ members, bytes, reads, joins, membersAfter: stats.total_signups });
    }
    return { section: describe(measured), targets: targetsOf(measured) };
  },
};

function targetsOf(sizes: readonly Size[]) {
  const [smallest, largest] = [sizes[0], sizes.at(-1)];
  if (smallest === undefined || largest === undefined || smallest === largest) return [];
  const at = `PostgreSQL, ${whole(largest.members)} members beside ${whole(smallest.members)}`;
  return [
    ratio(`${at}: join`, 0.8, largest.joins.perSecond, smallest.joins.perSecond),
    ratio(`${at}: status read`, 0.8, largest.reads.perSecond, smallest.reads.perSecond),
  ];
}

function describe(sizes: readonly Size[]): string {
  const speeds = sizes.map((size) => [
    whole(size.members),
    whole(size.membersAfter),
    whole(size.reads.perSecond),
    short(size.reads.p99Ms),
    whole(size.joins.perSecond),
    short(size.joins.p99Ms),
    orDash(size.joins.databaseUs, whole),
  ]);
  const resting = sizes.map((size) => [
    whole(size.members),
    megabytes(size.bytes),
    size.members < 100_000 ? '–' : megabytes((size.bytes / size.members) * 1e6),
  ]);
  return [
    '## Growth',
    table(SPEED_HEAD, speeds),
    table(['members', 'database', 'a million members'], resting),
  ].join('\n\n');
}

async function databaseBytes(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const size = 'select pg_database_size(current_database())::float8 as bytes';
  const { rows } = await client.query<{ bytes: number }>(size);
  await client.end();
  return rows[0]?.bytes ?? 0;
}
