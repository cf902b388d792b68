/** A launch on the smallest machine: everybody comes within minutes, to one processor. */
import { join } from 'node:path';
import { openDatabase } from '../../server/db/open.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { type Place, startProduct, thisCheckout } from '../checkout.ts';
import type { Rush } from '../load/arrivals.ts';
import { type LaunchResult, runLaunch, STEPS } from '../load/launch.ts';
import { childrenOf, findPostmaster } from '../load/processor-time.ts';
import { percent, short, table, whole } from '../report/markdown.ts';
import type { Bench, Part } from './part.ts';
import { openSmallMachine, type Usage } from './small-machine.ts';

type MachineFigures = Usage & {
  readonly engine: string;
  readonly result: LaunchResult;
  /** Of the one processor, from the first visitor to the last. */
  readonly processorShare: number;
};

export type LaunchFigures = Rush & { readonly machines: readonly MachineFigures[] };

const LIMITS = { processors: 1, megabytes: 512 };
const RUSH = { rushSeconds: 60, rushShare: 0.3 };
/** A moment for the address, then the status page, and two more looks at it. */
const PAUSES_MS = [2_000, 200, 5_000, 10_000];

export const launchPart: Part<LaunchFigures> = {
  name: 'launch',
  async measure(bench) {
    const seconds = bench.options.launchMinutes * 60;
    const rushSeconds = Math.min(RUSH.rushSeconds, seconds / 2);
    const rush = { ...RUSH, people: bench.options.launchPeople, seconds, rushSeconds };
    const machines = [];
    for (const open of [openPostgres, openEmbedded]) {
      const setting = await open(bench);
      machines.push({ engine: setting.engine, ...(await launchOn(setting, rush)) });
      bench.log(`${setting.engine}: launched`);
    }
    return { ...rush, machines };
  },
  report({ people, seconds, rushSeconds, rushShare, machines }) {
    const pauses = PAUSES_MS.map((ms) => `${ms / 1000} s`).join(', ');
    return `## The smallest machine for a launch

Server and database together under control groups that allow **${LIMITS.processors} processor and
${LIMITS.megabytes} MB of memory**. **${whole(people)} people** come within ${short(seconds / 60)}
minutes, ${percent(rushShare)} of them in the first ${whole(rushSeconds)} s, whether or not others
have been answered. Each opens a connection, loads the page, joins (half of them invited by somebody
who joined before) and reads the status ${PAUSES_MS.length - 1} times, with pauses of ${pauses}
between these. The page's own files are not asked for: a cache in front keeps them.

${machines.map(reportMachine).join('\n\n')}`;
  },
};

type Setting = {
  readonly engine: string;
  readonly place: Place;
  /** What shares the machine with the server. */
  readonly databasePids: readonly number[];
  stop(): Promise<void>;
};

async function openPostgres(bench: Bench): Promise<Setting> {
  const { url, description, stop } = await startPostgres({ isDurable: true });
  const postmaster = (await findPostmaster(url)) ?? 0;
  return {
    engine: `${description}, on the same machine`,
    place: { dataDir: join(bench.folder, 'postgres'), databaseUrl: url },
    databasePids: [postmaster, ...childrenOf(postmaster)],
    stop,
  };
}

/** Made before, without limits: making the database takes more memory than all that follows. */
async function openEmbedded(bench: Bench): Promise<Setting> {
  const place = { dataDir: join(bench.folder, 'embedded'), databaseUrl: null };
  await (await openDatabase({ ...place, log: () => {} })).close();
  return { engine: 'embedded', place, databasePids: [], stop: async () => {} };
}

async function launchOn({ place, databasePids, stop }: Setting, rush: Rush) {
  const machine = openSmallMachine(LIMITS);
  machine.enter(databasePids);
  const product = await startProduct(thisCheckout, place, {}, machine.doors);
  try {
    const before = machine.read();
    const beganAt = performance.now();
    const { port } = product;
    const result = await runLaunch({ ...rush, port, pausesMs: PAUSES_MS, looksAtPage: true });
    const elapsedSeconds = (performance.now() - beganAt) / 1000;
    const usage = machine.read();
    if (product.hasEnded()) throw new Error('The server ended during the launch.');
    const processorShare = (usage.processorSeconds - before.processorSeconds) / elapsedSeconds;
    return { result, processorShare, ...usage };
  } finally {
    await product.stop();
    await stop();
    await machine.remove();
  }
}

function reportMachine(machine: MachineFigures): string {
  const { engine, result, processorShare, throttledShare, maxMemoryBytes } = machine;
  const rows = STEPS.map((step) => {
    const { answers, p50Ms, p99Ms, maxMs, rushP99Ms } = result.steps[step];
    return [step, whole(answers), short(p50Ms), short(p99Ms), short(rushP99Ms), whole(maxMs)];
  });
  const failures = Object.entries(result.failures).map(
    ([what, count]) => `${whole(count)} × ${what}`,
  );
  return `**${engine}.** ${whole(result.joined)} of ${whole(result.visitors)} joined.
Failures: ${failures.join(', ') || 'none'}.

${table(['', 'answers', 'p50 ms', 'p99 ms', 'p99 ms in the rush', 'longest ms'], rows)}

${percent(processorShare)} of the processor on average; throttled in ${percent(throttledShare)} of
the periods; at most ${whole(maxMemoryBytes / 2 ** 20)} MB of memory, files that the system keeps
for it included. The client was ${short(result.clientLateP99Ms)} ms late at the 99th percentile and
used ${percent(result.clientCpuShare)} of a processor.`;
}
