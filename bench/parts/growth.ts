/** Status reads and joins at every size of the line, in turns, and what else grows with it: loading, verifying, bytes, the position's plan. */
import { brand } from '../../brand/brand.ts';
import { openDatabase } from '../../server/db/open.ts';
import { verifyLine } from '../../server/waitlist/verify-line.ts';
import { startServer } from '../../test/support/server-process.ts';
import { startFloor } from '../floor-process.ts';
import { type Measured, measure, medianOf } from '../load/measure.ts';
import { findPostmaster, watchProcessors } from '../load/processor-time.ts';
import { writeSample } from '../members/read-sample.ts';
import type { Filled } from '../sized-databases.ts';
import { type Bench, TARGET_IN_FLIGHT } from './part.ts';
import { type PositionPlan, readPositionPlan } from './position-plan.ts';
import { readAnswerBytes, settingsOf, writeFloorSample } from './speed.ts';

export type SizeFigures = {
  readonly members: number;
  readonly fillSeconds: number;
  readonly bytes: number;
  /** Null above the size that is verified. */
  readonly verification: { readonly seconds: number; readonly differences: number } | null;
  readonly plan: PositionPlan;
  readonly statusRead: Measured;
  readonly join: Measured;
  /** After the last join was measured. */
  readonly membersAfter: number;
  readonly mostFriends: number;
};

export type GrowthFigures = {
  readonly engine: string;
  readonly inFlight: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly floorRows: number;
  readonly select: Measured;
  readonly insert: Measured;
  readonly sizes: readonly SizeFigures[];
};

/** The size by which `npm run verify` is judged; ten times as many take minutes. */
const MOST_VERIFIED = 1_000_000;
/** The servers of all sizes are open at once: each sends so few mails that it does not burden the others' rounds. */
const MAIL_RATE = '0.1';

export async function benchGrowth(bench: Bench): Promise<GrowthFigures> {
  const { sizes, seconds, rounds, members: floorRows } = bench.options;
  const postgres = await bench.postgres();
  const resting = [];
  for (const members of sizes) {
    const filled = await postgres.of(members);
    resting.push({ filled, ...(await readResting(filled)) });
    bench.log(`${members} members in ${filled.fillSeconds.toFixed(1)} s`);
  }

  const postmaster = await findPostmaster(resting[0]?.filled.databaseUrl ?? '');
  const servers = [];
  for (const { filled } of resting) {
    const place = filled.members === sizes.at(-1) ? filled : await postgres.copyOf(filled.members);
    const sampleFile = await writeSample(place);
    const server = await startServer({ ...settingsOf(place), MAIL_RATE });
    const port = Number(new URL(server.url).port);
    const watch = watchProcessors({ pid: server.pid, postmaster });
    const take = (kind: 'status' | 'join', forSeconds: number) =>
      measure({ kind, port, inFlight: TARGET_IN_FLIGHT, seconds: forSeconds, sampleFile }, watch);
    servers.push({ place, server, sampleFile, take, status: [] as Measured[], join: [] as Measured[] });
  }
  const floorPlace = await postgres.createEmpty('growth-floor');
  const [first] = servers;
  const bytes = await readAnswerBytes(first?.server.url ?? '', first?.sampleFile ?? '');
  const floor = await startFloor(floorPlace, { rows: floorRows, bytes });
  const floorSample = writeFloorSample(floorPlace, floor);
  const floorWatch = watchProcessors({ pid: floor.pid, postmaster });
  const takeFloor = (kind: 'select' | 'insert', forSeconds: number) =>
    measure(
      { kind, port: floor.port, inFlight: TARGET_IN_FLIGHT, seconds: forSeconds, sampleFile: floorSample },
      floorWatch,
    );

  const [select, insert]: [Measured[], Measured[]] = [[], []];
  for (const { take } of servers) for (const kind of ['status', 'join'] as const) await take(kind, seconds);
  for (const kind of ['select', 'insert'] as const) await takeFloor(kind, seconds);
  for (let round = 0; round < rounds; round += 1) {
    select.push(await takeFloor('select', seconds));
    for (const { take, status } of servers) status.push(await take('status', seconds));
    insert.push(await takeFloor('insert', seconds));
    for (const { take, join } of servers) join.push(await take('join', seconds));
  }
  bench.log('all sizes measured');

  await floor.stop();
  await postgres.drop(floorPlace);
  const figures: SizeFigures[] = [];
  for (const [index, { place, server, status, join }] of servers.entries()) {
    await server.stop();
    const [before] = resting.slice(index);
    if (before === undefined) continue;
    const { filled, ...rest } = before;
    const membersAfter = await countMembers(place);
    if (place !== filled) await postgres.drop(place);
    const { members, fillSeconds } = filled;
    figures.push({ members, fillSeconds, ...rest, membersAfter, statusRead: medianOf(status), join: medianOf(join) });
  }
  return {
    engine: postgres.description,
    inFlight: TARGET_IN_FLIGHT,
    seconds,
    rounds,
    floorRows,
    select: medianOf(select),
    insert: medianOf(insert),
    sizes: figures,
  };
}

/** Before anybody joins. */
async function readResting(
  filled: Filled,
): Promise<Pick<SizeFigures, 'bytes' | 'verification' | 'plan' | 'mostFriends'>> {
  const database = await openDatabase({ ...filled, log: () => {} });
  const { rows } = await database.runSql(
    'select pg_database_size(current_database())::float8 as bytes, (select max(referral_count) from member) as most',
  );
  const [{ bytes, most }] = rows as [{ bytes: number; most: number }];
  const beganAt = performance.now();
  const found = filled.members > MOST_VERIFIED ? null : await verifyLine(database, brand);
  const verifySeconds = (performance.now() - beganAt) / 1000;
  const plan = await readPositionPlan(database, filled.members);
  await database.close();
  const verification = found && { seconds: verifySeconds, differences: found.differences.length };
  return { bytes, verification, plan, mostFriends: most };
}

async function countMembers(filled: Filled): Promise<number> {
  const database = await openDatabase({ ...filled, log: () => {}, asItIs: true });
  const { rows } = await database.runSql('select total::float8 as total from line_state');
  await database.close();
  return (rows[0] as { total: number }).total;
}
