/** The load of a measurement, and what it costs the server, its database and the client. */
import autocannon from 'autocannon';
import pg from 'pg';
import type { Sample } from '../members/read-sample.ts';
import { median, percentile } from '../statistics.ts';
import { parentOf, processorUs } from './processor-time.ts';
import { openRequests, type RequestKind } from './requests.ts';

export type Target = {
  readonly url: string;
  readonly pid: number;
  readonly databaseUrl: string | null;
  readonly sample: Sample;
};

export type Load = {
  readonly kind: RequestKind;
  readonly inFlight: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
};

export type Measured = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Microseconds of processor time an operation; null where the system does not count it. */
  readonly serverUs: number | null;
  readonly databaseUs: number | null;
  readonly clientUs: number;
};

export const IN_FLIGHT = 64;
const WRITES: readonly RequestKind[] = ['insert', 'join', 'hot-join'];
/** Share of the warm-up for reads: without a checkpoint, only caches and pools have to fill. */
const SHORT_WARM_UP = 1 / 3;
/** The load ends with such a sample. */
const SAMPLE_MS = 100;
let runs = 0;

/** A run of writes on PostgreSQL starts with a checkpoint. Throws when any answer is wrong. */
export async function measure(target: Target, load: Load): Promise<Measured> {
  const { kind, inFlight, warmUpSeconds, seconds } = load;
  const { url, sample, databaseUrl } = target;
  const needsCheckpoint = WRITES.includes(kind) && databaseUrl !== null;
  runs += 1;
  const tag = `${Date.now().toString(36)}${runs.toString(36)}`;
  const next = openRequests(kind, sample, tag);
  const counters = await openCounters(target);
  try {
    if (needsCheckpoint) await counters.checkpoint();
    await sendFor(warmUpSeconds * (needsCheckpoint ? 1 : SHORT_WARM_UP), { url, inFlight, next });
    const before = counters.read();
    const { times, passedSeconds } = await sendFor(seconds, { url, inFlight, next });
    const after = counters.read();
    const each = (from: number | null, to: number | null) =>
      from === null || to === null ? null : (to - from) / times.length;
    return {
      perSecond: times.length / passedSeconds,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      serverUs: each(before.serverUs, after.serverUs),
      databaseUs: each(before.databaseUs, after.databaseUs),
      clientUs: (after.clientUs - before.clientUs) / times.length,
    };
  } finally {
    await counters.close();
  }
}

type Sending = Pick<Load, 'inFlight'> & {
  readonly url: string;
  readonly next: ReturnType<typeof openRequests>;
};

/** Sends a request as soon as the last of its connection is answered; times in milliseconds. */
async function sendFor(seconds: number, { url, inFlight, next }: Sending) {
  const times: number[] = [];
  let wrong: string | null = null;
  const { errors, start, finish } = await autocannon({
    url,
    connections: inFlight,
    duration: seconds,
    sampleInt: SAMPLE_MS,
    requests: [
      {
        setupRequest(request, context) {
          const { expected, ...own } = next();
          Object.assign(context, { expected, sentAt: performance.now() });
          return { ...request, ...own };
        },
        onResponse(status, body, context) {
          const { expected, sentAt } = context as { expected: string; sentAt: number };
          times.push(performance.now() - sentAt);
          if (status < 200 || status > 299 || !body.includes(expected))
            wrong ??= `${status} ${body} instead of ${expected}`;
        },
      },
    ],
  });
  if (wrong !== null || errors > 0) throw new Error(wrong ?? `${errors} connections were lost.`);
  return { times, passedSeconds: (finish.getTime() - start.getTime()) / 1000 };
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

async function openCounters({ pid, databaseUrl }: Target) {
  const client = databaseUrl === null ? null : new pg.Client({ connectionString: databaseUrl });
  client?.on('error', () => {}); // A bench that is ended stops its database first.
  await client?.connect();
  const backend = await client?.query('select pg_backend_pid() as pid');
  const postmaster = backend === undefined ? null : parentOf(backend.rows[0].pid);
  return {
    checkpoint: () => client?.query('checkpoint'),
    read() {
      const { user, system } = process.cpuUsage();
      return {
        serverUs: processorUs(pid),
        databaseUs: postmaster === null ? null : processorUs(postmaster),
        clientUs: user + system,
      };
    },
    close: () => client?.end(),
  };
}
