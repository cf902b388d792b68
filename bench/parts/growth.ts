/** Status reads and joins at every size of the line, in turns, and what else grows with it. */
import { apiPaths } from '../../contract/paths.ts';
import type { Stats } from '../../contract/schemas.ts';
import { startBaseline } from '../baseline/start-baseline.ts';
import { type Checkout, type Filled, startProduct, verify, writeSample } from '../checkout.ts';
import { databaseBytes } from '../database-bytes.ts';
import { type Measured, measure, medianOf } from '../load/closed-loop.ts';
import { type StatementCost, watchStatements } from '../load/statement-watch.ts';
import { megabytes, orDash, short, table, whole } from '../report/markdown.ts';
import { ratio } from '../report/targets.ts';
import { type Part, TARGET_IN_FLIGHT } from './part.ts';

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
const RESTING_HEAD = [
  'members',
  'filled in s',
  'database',
  'a million members',
  'most friends of one',
  'verify s',
  'status statement µs',
  'pages',
];

type SizeFigures = {
  readonly checkout: string;
  readonly members: number;
  readonly fillSeconds: number;
  readonly bytes: number;
  /** Null above the size that is verified. */
  readonly verifySeconds: number | null;
  readonly mostFriends: number;
  /** The statement of a status read, one in flight: means of all runs. */
  readonly statement: StatementCost;
  readonly statusRead: Measured;
  readonly join: Measured;
  /** When the last join was measured. */
  readonly membersAfter: number;
};

export type GrowthFigures = {
  readonly engine: string;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly baselineRows: number;
  readonly select: Measured;
  readonly insert: Measured;
  readonly sizes: readonly SizeFigures[];
};

/** The size by which `npm run verify` is judged; ten times as many take minutes. */
const MAX_VERIFIED = 1_000_000;
/** Larger databases are changed themselves, not copied. */
const MAX_COPIED = 2_000_000;
/** Enough for a constant answer; here only the SELECT and the INSERT are asked. */
const ANSWER_BYTES = 260;
/** All servers are open at once: each sends so few mails that it does not burden the others. */
const MAIL_RATE = '0.1';

export const growthPart: Part<GrowthFigures> = {
  name: 'growth',
  async measure(bench) {
    const { sizes, seconds, warmUpSeconds, rounds, members: baselineRows } = bench.options;
    const postgres = await bench.postgres();
    const subjects = [];
    for (const members of sizes) {
      for (const checkout of bench.checkouts) {
        const take = members > MAX_COPIED ? postgres.take : postgres.copyOf;
        const filled = await take(checkout, members);
        subjects.push({ checkout, filled, resting: await measureResting(checkout, filled) });
        bench.log(`${checkout.name}: ${members} members in ${short(filled.fillSeconds)} s`);
      }
    }

    const baselinePlace = await postgres.createEmpty('growth-baseline');
    const size = { rows: baselineRows, bytes: ANSWER_BYTES };
    const baseline = await startBaseline(baselinePlace, size);
    const servers = [];
    for (const { checkout, filled } of subjects) {
      const sampleFile = await writeSample(checkout, filled);
      servers.push({
        ...(await startProduct(checkout, filled, { MAIL_RATE })),
        sampleFile,
        status: [] as Measured[],
        join: [] as Measured[],
      });
    }
    const load = { inFlight: TARGET_IN_FLIGHT, seconds, warmUpSeconds };
    const [select, insert]: [Measured[], Measured[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      select.push(await measure(baseline, { kind: 'select', ...load }));
      for (const server of servers)
        server.status.push(await measure(server, { kind: 'status', ...load }));
      insert.push(await measure(baseline, { kind: 'insert', ...load }));
      for (const server of servers)
        server.join.push(await measure(server, { kind: 'join', ...load }));
      bench.log(`round ${round + 1} of ${rounds} measured`);
    }

    const figures: SizeFigures[] = [];
    for (const [index, { url, status, join, stop }] of servers.entries()) {
      const subject = subjects[index];
      if (subject === undefined) continue;
      const membersAfter = (await readStats(url)).total_signups;
      await stop();
      await postgres.drop(subject.filled);
      figures.push({
        ...subject.resting,
        statusRead: medianOf(status),
        join: medianOf(join),
        membersAfter,
      });
    }
    await baseline.stop();
    await postgres.drop(baselinePlace);
    return {
      engine: postgres.description,
      seconds,
      warmUpSeconds,
      rounds,
      baselineRows,
      select: medianOf(select),
      insert: medianOf(insert),
      sizes: figures,
    };
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
  plots({ sizes, select, insert }) {
    const own = sizes.filter(({ checkout }) => checkout === sizes[0]?.checkout);
    const points = own.flatMap(({ members, statusRead, join }) => [
      { series: 'status read', isBaseline: false, x: members, ...statusRead },
      { series: 'join', isBaseline: false, x: members, ...join },
      // Of one size: a line across, for comparison.
      { series: 'bare SELECT route', isBaseline: true, x: members, ...select },
      { series: 'bare INSERT route', isBaseline: true, x: members, ...insert },
    ]);
    const title = `PostgreSQL, ${TARGET_IN_FLIGHT} in flight`;
    return { members: { title, x: 'members', points } };
  },
  report(figures) {
    const { sizes, select, insert, baselineRows, rounds, seconds, warmUpSeconds } = figures;
    const [first] = sizes;
    const other = sizes.find(({ checkout }) => checkout !== first?.checkout)?.checkout;
    const besides = (size: SizeFigures) =>
      sizes.find(({ checkout, members }) => checkout === other && members === size.members);
    const speeds = sizes.map((size) => {
      const { members, checkout, membersAfter, statusRead, join } = size;
      return [
        nameOf(members, checkout, other),
        whole(membersAfter),
        whole(statusRead.perSecond),
        short(statusRead.p99Ms),
        (statusRead.perSecond / select.perSecond).toFixed(2),
        whole(join.perSecond),
        short(join.p99Ms),
        (join.perSecond / insert.perSecond).toFixed(2),
        orDash(join.databaseUs, whole),
        orDash(join.fullPageImages, (images) => images.toFixed(2)),
      ];
    });
    const beside = sizes.flatMap((size) => {
      const peer = size.checkout === other ? undefined : besides(size);
      if (peer === undefined) return [];
      const times = (of: 'statusRead' | 'join') =>
        (size[of].perSecond / peer[of].perSecond).toFixed(2);
      return [[whole(size.members), times('statusRead'), times('join')]];
    });
    const resting = sizes.map((size) => {
      const { members, checkout, bytes, statement } = size;
      return [
        nameOf(members, checkout, other),
        short(size.fillSeconds),
        megabytes(bytes),
        members < 100_000 ? '–' : megabytes((bytes / members) * 1e6),
        whole(size.mostFriends),
        orDash(size.verifySeconds),
        whole((statement.ms / statement.calls) * 1000),
        (statement.pages / statement.calls).toFixed(1),
      ];
    });
    const ratesBeside = table(['members', 'status reads', 'joins'], beside);
    return `## Growth

${figures.engine}, ${TARGET_IN_FLIGHT} in flight, medians of ${rounds} rounds of ${seconds} s that
take turns between all sizes and the baselines (${whole(baselineRows)} rows:
SELECT ${whole(select.perSecond)} a second, INSERT ${whole(insert.perSecond)}).
Each run of joins or INSERTs comes after a checkpoint and
${warmUpSeconds} s of the same load; "full pages" are those that a join still writes whole to the
WAL, as the first touch of a page after a checkpoint does. The servers of all sizes are open
meanwhile, each sending a mail every ten seconds. Small lines grow while joins are measured: "after"
says to what.

![Throughput and 99th percentile against members](plots/members.svg)

${table(SPEED_HEAD, speeds)}
${other === undefined ? '' : `\nThis checkout beside ${other}:\n\n${ratesBeside}\n`}
Members are made up by \`node bench/generate.ts\`, the same ones for the same seed: 40 % came by an
invite, and inviters follow a power law (exponent 2.4), whenever they joined. Filling includes all
indexes, counts and a vacuum. \`verify\` is \`npm run verify\`; a difference would have failed the
run. The last two columns are the statement of a status read on its own, one in flight, as
\`pg_stat_statements\` has it: pages are of 8 kB.

${table(RESTING_HEAD, resting)}`;
  },
};

/** Before anybody joins. */
async function measureResting(checkout: Checkout, filled: Filled) {
  const { members, fillSeconds, databaseUrl } = filled;
  const bytes = await databaseBytes(filled);
  const beganAt = performance.now();
  if (members <= MAX_VERIFIED) await verify(checkout, filled);
  const verifySeconds = members > MAX_VERIFIED ? null : (performance.now() - beganAt) / 1000;
  const sampleFile = await writeSample(checkout, filled);
  const statements = await watchStatements(databaseUrl ?? '');
  const server = await startProduct(checkout, filled);
  await statements.reset();
  const reads = { kind: 'status', inFlight: 1, warmUpSeconds: 0, seconds: 2 } as const;
  await measure({ ...server, sampleFile }, reads);
  const [statement] = await statements.read(1, 'calls');
  if (statement === undefined) throw new Error('No statement was counted.');
  const mostFriends = (await readStats(server.url)).top_referrers[0]?.referrals ?? 0;
  await server.stop();
  await statements.close();
  const { name } = checkout;
  return { checkout: name, members, fillSeconds, bytes, verifySeconds, statement, mostFriends };
}

async function readStats(url: string): Promise<Stats> {
  return (await (await fetch(url + apiPaths.stats())).json()) as Stats;
}

function nameOf(members: number, checkout: string, other: string | undefined): string {
  return other === undefined ? whole(members) : `${whole(members)}, ${checkout}`;
}
