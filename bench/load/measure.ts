/** One measured burst of requests against one server, closed loop, and what it cost in processor time. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../statistics.ts';
import type { ProcessorWatch } from './processor-time.ts';
import type { RequestKind } from './request-bytes.ts';

export type ClosedLoop = {
  readonly kind: RequestKind;
  readonly port: number;
  readonly inFlight: number;
  readonly seconds: number;
  /** JSON of a Sample; null where requests are about nobody. */
  readonly sampleFile: string | null;
  readonly tag: string;
  readonly path?: string;
};

/** What the client process prints. */
export type LoopResult = {
  readonly answers: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  readonly firstFailure: string;
  readonly clientCpuUs: number;
};

export type Measured = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Microseconds of processor time an operation; null where the machine does not tell. */
  readonly serverUs: number | null;
  readonly databaseUs: number | null;
  readonly clientUs: number;
};

const CLIENT = fileURLToPath(new URL('closed-loop-main.ts', import.meta.url));
const run = promisify(execFile);
let runs = 0;

/** Throws when any answer is not 2xx: the speed of refusals is no speed. */
export async function measure(loop: Omit<ClosedLoop, 'tag'>, watch: ProcessorWatch): Promise<Measured> {
  runs += 1;
  const tag = `${Date.now().toString(36)}${runs.toString(36)}`;
  const before = watch.read();
  const { stdout } = await run(process.execPath, [CLIENT, JSON.stringify({ ...loop, tag })]);
  const after = watch.read();
  const result = JSON.parse(stdout) as LoopResult;
  if (result.failed > 0 || result.answers === 0)
    throw new Error(
      `${loop.kind}: ${result.failed} of ${result.answers} failed, the first with ${result.firstFailure}`,
    );
  const perAnswer = (from: number | null, to: number | null) =>
    from === null || to === null ? null : ((to - from) * 1000) / result.answers;
  return {
    perSecond: result.perSecond,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    serverUs: perAnswer(before.serverMs, after.serverMs),
    databaseUs: perAnswer(before.databaseMs, after.databaseMs),
    clientUs: result.clientCpuUs / result.answers,
  };
}

/** Each figure's median by itself. */
export function medianOf(runs: readonly Measured[]): Measured {
  const of = (read: (run: Measured) => number) => median(runs.map(read));
  const orNull = (read: (run: Measured) => number | null) => {
    const values = runs.map(read);
    return values.every((value) => value !== null) ? median(values) : null;
  };
  return {
    perSecond: of((run) => run.perSecond),
    p50Ms: of((run) => run.p50Ms),
    p99Ms: of((run) => run.p99Ms),
    serverUs: orNull((run) => run.serverUs),
    databaseUs: orNull((run) => run.databaseUs),
    clientUs: of((run) => run.clientUs),
  };
}
