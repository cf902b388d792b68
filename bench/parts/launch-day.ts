/** A launch on the smallest machine: all who come within minutes, on one processor and little memory, with nothing but server and database. */
import { join } from 'node:path';
import { openDatabase } from '../../server/db/open.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import type { Place } from '../floor-process.ts';
import { type LaunchResult, runLaunch } from '../load/launch.ts';
import { childrenOf, findPostmaster } from '../load/processor-time.ts';
import type { Bench } from './part.ts';
import { type Beside, type SmallMachine, startOnSmallMachine } from './small-machine.ts';
import { settingsOf } from './speed.ts';

export type LaunchFigures = {
  readonly people: number;
  readonly seconds: number;
  readonly rushSeconds: number;
  readonly rushShare: number;
  readonly pausesMs: readonly number[];
  readonly processors: number;
  /** In bytes, all that were tried. */
  readonly memoriesTried: readonly number[];
  readonly machines: readonly MachineFigures[];
};

export type MachineFigures = {
  readonly engine: string;
  /** The least with which it starts. */
  readonly memoryBytes: number;
  /** The same for the very first start, where that makes the database; null: with none that was tried. */
  readonly firstStartBytes: number | null;
  readonly result: LaunchResult;
  /** Of the one processor, from the first visitor to the last. */
  readonly processorShare: number;
  readonly throttledShare: number;
  /** With the files that the system keeps in memory as long as there is room. */
  readonly mostMemoryBytes: number;
};

const MEGABYTE = 1024 * 1024;
const MEMORIES = [512, 640, 768, 1024, 1536].map((megabytes) => megabytes * MEGABYTE);
const PROCESSORS = 1;
const RUSH = { rushSeconds: 60, rushShare: 0.3 };
/** A moment for the address, then the status page, and two more looks at it. */
const PAUSES_MS = [2_000, 200, 5_000, 10_000];

type Started = { readonly machine: SmallMachine; readonly memoryBytes: number };

export async function benchLaunch(bench: Bench): Promise<LaunchFigures> {
  const { launchPeople: people, launchMinutes } = bench.options;
  const seconds = launchMinutes * 60;
  const day = { people, seconds, ...RUSH, rushSeconds: Math.min(RUSH.rushSeconds, seconds / 2), pausesMs: PAUSES_MS };
  const machines = [];
  for (const open of [openOnPostgres, openOnEmbedded]) {
    const { engine, firstStartBytes, started } = await open(bench);
    machines.push({ engine, firstStartBytes, ...(await runOn(started, day)) });
    bench.log(`${engine}: launched`);
  }
  return { ...day, processors: PROCESSORS, memoriesTried: MEMORIES, machines };
}

async function runOn(
  { machine, memoryBytes }: Started,
  day: Omit<LaunchFigures, 'processors' | 'memoriesTried' | 'machines'>,
) {
  try {
    const before = machine.read();
    const beganAt = performance.now();
    const tag = Date.now().toString(36);
    const result = await runLaunch({ port: machine.port, ...day, looksAtPage: true, tag });
    const elapsedSeconds = (performance.now() - beganAt) / 1000;
    const { processorSeconds, mostMemoryBytes, throttledShare } = machine.read();
    if (machine.hasEnded()) throw new Error('The server ended during the launch.');
    const processorShare = (processorSeconds - before.processorSeconds) / elapsedSeconds;
    return { memoryBytes, result, processorShare, throttledShare, mostMemoryBytes };
  } finally {
    await machine.stop();
  }
}

/** Server and PostgreSQL share the machine. */
async function openOnPostgres(bench: Bench) {
  const place = { dataDir: join(bench.folder, 'launch-postgres') };
  let description = '';
  const started = await startOnLeast(async () => {
    const postgres = await startPostgres({ isDurable: true });
    description = postgres.description;
    const postmaster = (await findPostmaster(postgres.url)) ?? 0;
    const beside = { pids: [postmaster, ...childrenOf(postmaster)], stop: postgres.stop };
    return { place: { ...place, databaseUrl: postgres.url }, beside };
  });
  return { engine: `${description}, on the same machine`, firstStartBytes: started.memoryBytes, started };
}

/** The database is made before, without limits: that takes more memory than all that follows. */
async function openOnEmbedded(bench: Bench) {
  let tried = 0;
  const first = await startOnLeast(async () => {
    tried += 1;
    return { place: { dataDir: join(bench.folder, `launch-first-${tried}`), databaseUrl: null } };
  }).catch(() => null);
  await first?.machine.stop();
  const place = { dataDir: join(bench.folder, 'launch-embedded'), databaseUrl: null };
  await (await openDatabase({ ...place, log: () => {} })).close();
  const started = await startOnLeast(async () => ({ place }));
  return { engine: 'embedded', firstStartBytes: first?.memoryBytes ?? null, started };
}

async function startOnLeast(open: () => Promise<{ place: Place; beside?: Beside }>): Promise<Started> {
  for (const memoryBytes of MEMORIES) {
    const { place, ...others } = await open();
    const machine = await startOnSmallMachine(settingsOf(place), { processors: PROCESSORS, memoryBytes, ...others });
    if (machine !== null) return { machine, memoryBytes };
  }
  throw new Error('The server did not start within any of the limits.');
}
