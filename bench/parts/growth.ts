import pg from 'pg';
import { apiPaths } from '../../contract/paths.ts';
import type { Stats } from '../../contract/schemas.ts';
import { type FilledProduct, openProduct } from '../checkout.ts';
import { type Measured, measureRounds, type Target } from '../load/closed-loop.ts';
import { definePart, TARGET_IN_FLIGHT } from '../part.ts';
import { megabytes, orDash, short, table, whole } from '../report/markdown.ts';
import { ratio } from '../report/targets.ts';
import { RESULTS } from './speed.ts';

const OPTIONS = {
  sizes: [10_000, 1_000_000, 10_000_000],
  seconds: 3,
  warmUp: 5,
  rounds: 3,
};
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
  'full pages a join',
];

export const growthPart = definePart({
  name: 'growth',
  writes: RESULTS,
  options: OPTIONS,
  async measure({ options, checkouts, newPlace, log }) {
    const { sizes, seconds, warmUp, rounds } = options;
    const servers: (FilledProduct & { members: number; bytes: number })[] = [];
    for (const members of sizes)
      for (const checkout of checkouts) {
        const place = await newPlace('postgres');
        const server = await openProduct(checkout, place, { members, settings: { MAIL_RATE } });
        servers.push({ ...server, members, bytes: await databaseBytes(place.databaseUrl ?? '') });
        log(`${checkout.name}: ${whole(members)} members are in line`);
      }
    const jobs = (['status', 'join'] as const).flatMap((kind) => {
      const load = { kind, inFlight: TARGET_IN_FLIGHT, seconds, warmUpSeconds: warmUp };
      return servers.map((target) => ({ target, load }));
    });
    const cells = await measureRounds(jobs, { rounds, log });
    const cellOf = (target: Target, kind: 'status' | 'join') =>
      cells.find((cell) => cell.target === target && cell.load.kind === kind) as Measured;

    const figures = [];
    for (const server of servers) {
      const { by, members, bytes } = server;
      const stats = (await (await fetch(server.url + apiPaths.stats)).json()) as Stats;
      await server.stop();
      const speeds = { statusRead: cellOf(server, 'status'), join: cellOf(server, 'join') };
      figures.push({ by, members, bytes, ...speeds, membersAfter: stats.total_signups });
    }
    return figures;
  },
  targets(sizes) {
    const own = sizes.filter(({ by }) => by === sizes[0]?.by);
    const [smallest, largest] = [own[0], own.at(-1)];
    if (smallest === undefined || largest === undefined || smallest === largest) return [];
    const at = `PostgreSQL, ${whole(largest.members)} members beside ${whole(smallest.members)}`;
    const beside = (what: string, of: 'join' | 'statusRead') =>
      ratio(`${at}: ${what}`, 0.8, largest[of].perSecond, smallest[of].perSecond);
    return [beside('join', 'join'), beside('status read', 'statusRead')];
  },
  describe(sizes) {
    const isAlone = sizes.every(({ by }) => by === sizes[0]?.by);
    const nameOf = ({ members, by }: (typeof sizes)[number]) =>
      isAlone ? whole(members) : `${whole(members)}, ${by}`;
    const speeds = sizes.map((size) => [
      nameOf(size),
      whole(size.membersAfter),
      whole(size.statusRead.perSecond),
      short(size.statusRead.p99Ms),
      whole(size.join.perSecond),
      short(size.join.p99Ms),
      orDash(size.join.databaseUs, whole),
      orDash(size.join.fullPageImages, (images) => images.toFixed(2)),
    ]);
    const resting = sizes.map((size) => [
      nameOf(size),
      megabytes(size.bytes),
      size.members < 100_000 ? '–' : megabytes((size.bytes / size.members) * 1e6),
    ]);
    return [
      '## Growth',
      table(SPEED_HEAD, speeds),
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
