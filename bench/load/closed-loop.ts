import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { median } from '../statistics.ts';
import { parentOf, processorUs } from './processor-time.ts';
import type { RequestKind } from './requests.ts';

export type Target = {
  readonly port: number;
  readonly pid: number;
  readonly databaseUrl: string | null;
  readonly sampleFile: string;
};

type Load = {
  readonly kind: RequestKind;
  readonly inFlight: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
};

export type LoopOptions = Load & Pick<Target, 'port' | 'sampleFile'> & { readonly tag: string };

type ClientFigures = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly clientUs: number;
};

export type LoopResult = ClientFigures & {
  readonly answers: number;
  readonly firstFailure: string | null;
};

export type Measured = ClientFigures & {
  /** Microseconds of processor time an operation; null where the system does not count it. */
  readonly serverUs: number | null;
  readonly databaseUs: number | null;
  /** Pages written whole to the WAL per operation, as first touches since the checkpoint. */
  readonly fullPageImages: number | null;
};

const CLIENT = fileURLToPath(new URL('closed-loop-client.ts', import.meta.url));
const WRITES: readonly RequestKind[] = ['insert', 'join', 'hot-join'];
/** Share of the warm-up for reads: without a checkpoint, only caches and pools have to fill. */
const SHORT_WARM_UP = 1 / 3;
let runs = 0;

/** A run of writes on PostgreSQL starts with a checkpoint. Throws when any answer is wrong. */
export async function measure(target: Target, load: Load): Promise<Measured> {
  const { kind, warmUpSeconds } = load;
  const { port, sampleFile, databaseUrl } = target;
  const needsCheckpoint = WRITES.includes(kind) && databaseUrl !== null;
  runs += 1;
  const options: LoopOptions = {
    ...load,
    warmUpSeconds: needsCheckpoint ? warmUpSeconds : warmUpSeconds * SHORT_WARM_UP,
    port,
    sampleFile,
    tag: `${Date.now().toString(36)}${runs.toString(36)}`,
  };
  const counters = await openCounters(target);
  if (needsCheckpoint) await counters.checkpoint();
  const client = fork(CLIENT, [JSON.stringify(options)]);
  await messageOf(client);
  const before = await counters.read();
  client.send('measure');
  const { answers, firstFailure, ...result } = (await messageOf(client)) as LoopResult;
  const after = await counters.read();
  await counters.close();
  if (firstFailure !== null) throw new Error(`${kind}: ${firstFailure}`);

  const each = (from: number | null, to: number | null) =>
    from === null || to === null ? null : (to - from) / answers;
  return {
    ...result,
    serverUs: each(before.serverUs, after.serverUs),
    databaseUs: each(before.databaseUs, after.databaseUs),
    fullPageImages: each(before.fullPageImages, after.fullPageImages),
  };
}

type Job = { readonly target: Target; readonly load: Load };

/** What follows writes is slower, so every second round goes backwards. */
export async function measureRounds<One extends Job>(
  jobs: readonly One[],
  { rounds, log }: { rounds: number; log: (line: string) => void },
): Promise<(One & Measured)[]> {
  const all = jobs.map((job) => ({ job, runs: [] as Measured[] }));
  for (let round = 1; round <= rounds; round += 1) {
    const inTurn = round % 2 === 1 ? all : all.toReversed();
    for (const { job, runs } of inTurn) runs.push(await measure(job.target, job.load));
    log(`round ${round} of ${rounds} measured`);
  }
  return all.map(({ job, runs }) => ({ ...job, ...medianOf(runs) }));
}

export function medianOf(all: readonly Measured[]): Measured {
  const keys = Object.keys(all[0] ?? {}) as (keyof Measured)[];
  const medians = keys.map((key) => {
    const values = all.map((run) => run[key]);
    return [key, values.every((value) => value !== null) ? median(values) : null];
  });
  return Object.fromEntries(medians) as Measured;
}

async function messageOf(client: ChildProcess): Promise<unknown> {
  const ended = once(client, 'exit').then(() => Promise.reject(new Error('The client ended.')));
  const [message] = await Promise.race([once(client, 'message'), ended]);
  return message;
}

async function openCounters({ pid, databaseUrl }: Target) {
  const client = databaseUrl === null ? null : new pg.Client({ connectionString: databaseUrl });
  await client?.connect();
  const backend = await client?.query('select pg_backend_pid() as pid');
  const postmaster = backend === undefined ? null : parentOf(backend.rows[0].pid);
  return {
    checkpoint: () => client?.query('checkpoint'),
    async read() {
      const wal = await client?.query('select wal_fpi::float8 as images from pg_stat_wal');
      return {
        serverUs: processorUs(pid),
        databaseUs: postmaster === null ? null : processorUs(postmaster),
        fullPageImages: (wal?.rows[0]?.images as number | undefined) ?? null,
      };
    },
    close: () => client?.end(),
  };
}
