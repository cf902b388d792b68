/** Where the time of server and database goes, while they are asked at full speed. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../test/support/server-process.ts';
import { measure } from '../load/measure.ts';
import { watchProcessors } from '../load/processor-time.ts';
import { type StatementCost, watchStatements } from '../load/statement-watch.ts';
import { writeSample } from '../members/read-sample.ts';
import {
  type CpuProfile,
  type Frame,
  type HotFunction,
  listHottest,
  readFrames,
  type Span,
} from '../report/flame-graph.ts';
import type { Filled } from '../sized-databases.ts';
import { type Bench, TARGET_IN_FLIGHT } from './part.ts';
import { settingsOf } from './speed.ts';

export type ProfileFigures = {
  readonly engine: string;
  readonly members: number;
  readonly profiles: readonly {
    readonly kind: 'status' | 'join';
    readonly root: Frame;
    readonly hottest: readonly HotFunction[];
    /** Of the database, during so many answers. */
    readonly answers: number;
    readonly statements: readonly StatementCost[];
  }[];
};

const SECONDS = 5;
/** Of the functions in which most time is spent. */
const SHOWN = 12;
/** Frames that took less than this share are left out: a profile is thousands of them. */
const LEAST_SHARE = 0.001;

export async function benchProfile(bench: Bench): Promise<ProfileFigures> {
  const { members } = bench.options;
  const postgres = await bench.postgres();
  const sized = await postgres.copyOf(members);
  const sampleFile = await writeSample(sized);
  const profiles = [];
  for (const kind of ['status', 'join'] as const) {
    const folder = join(bench.folder, kind);
    mkdirSync(folder);
    const NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${folder}`;
    const server = await startServer({ ...settingsOf(sized), NODE_OPTIONS });
    const port = Number(new URL(server.url).port);
    const watch = watchProcessors({ pid: server.pid, postmaster: null });
    const from = nowUs();
    await measure({ kind, port, inFlight: TARGET_IN_FLIGHT, seconds: SECONDS, sampleFile }, watch);
    const span = { from, to: nowUs() };
    await server.stop();
    const root = readProfiles(folder, span).reduce((most, other) => (other.ms > most.ms ? other : most));
    const database = await profileDatabase(sized, { kind, sampleFile });
    profiles.push({ kind, root: prune(root, root.ms * LEAST_SHARE), hottest: listHottest(root, SHOWN), ...database });
  }
  await postgres.drop(sized);
  return { engine: postgres.description, members, profiles };
}

/** Apart from the server's profile: each watch costs time. */
async function profileDatabase(
  sized: Filled,
  { kind, sampleFile }: { kind: 'status' | 'join'; sampleFile: string },
): Promise<{ answers: number; statements: StatementCost[] }> {
  const statements = await watchStatements(sized.databaseUrl ?? '');
  const server = await startServer(settingsOf(sized));
  const watch = watchProcessors({ pid: server.pid, postmaster: null });
  const port = Number(new URL(server.url).port);
  await statements.reset();
  const { perSecond } = await measure({ kind, port, inFlight: TARGET_IN_FLIGHT, seconds: SECONDS, sampleFile }, watch);
  const dearest = await statements.read(SHOWN);
  await server.stop();
  await statements.close();
  return { answers: perSecond * SECONDS, statements: dearest };
}

/** One a thread; the busiest is the one that answers. */
function readProfiles(folder: string, span: Span): Frame[] {
  return readdirSync(folder).map((name) =>
    readFrames(JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile, span),
  );
}

function prune(frame: Frame, leastMs: number): Frame {
  const callees = frame.callees.filter(({ ms }) => ms >= leastMs).map((callee) => prune(callee, leastMs));
  return { ...frame, callees };
}

/** Of the clock that profiles are stamped by. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
