/**
 * `npm run bench`: every figure beside the least that could be done, measured in one run. Writes bench/RESULTS.md and bench/plots/.
 * `--only embedded,growth` runs parts alone; the report is put together of the last figures of every part. `--only report` measures nothing.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { childrenOf } from './load/processor-time.ts';
import { benchCost } from './parts/cost.ts';
import { benchGrowth } from './parts/growth.ts';
import { benchLaunch } from './parts/launch-day.ts';
import type { Bench } from './parts/part.ts';
import { benchProfile } from './parts/profile.ts';
import { benchEmbedded, benchPostgres } from './parts/speed.ts';
import { benchStart } from './parts/start.ts';
import { describeMachine, loadAverage } from './report/machine.ts';
import { type Figures, keepRecord, PARTS, type Part, readRecords } from './report/part-records.ts';
import { writeReport } from './report/write-report.ts';
import { openPostgresSizes, type PostgresSizes } from './sized-databases.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: PARTS.join() },
    members: { type: 'string', default: '1000000' },
    'embedded-members': { type: 'string', default: '100000' },
    sizes: { type: 'string', default: '10000,100000,1000000,10000000' },
    'in-flight': { type: 'string', default: '1,16,64,256' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    'launch-people': { type: 'string', default: '100000' },
    'launch-minutes': { type: 'string', default: '4' },
    /** Where the figures of parts are kept, and where the report goes. */
    cache: { type: 'string', default: fileURLToPath(new URL('../.cache/bench', import.meta.url)) },
    results: { type: 'string', default: fileURLToPath(new URL('.', import.meta.url)) },
  },
});

/** For a part that is interrupted to put away what is its own. */
const PATIENCE_MS = 3_000;

const numbers = (text: string) => text.split(',').map(Number);
const asked = values.only.split(',');
const unknown = asked.filter((part) => part !== 'report' && !PARTS.some((known) => known === part));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join()}: ${PARTS.join()} or report.`);

const measureOf: { readonly [P in Part]: (bench: Bench) => Promise<Figures[P]> } = {
  embedded: benchEmbedded,
  growth: benchGrowth,
  postgres: benchPostgres,
  cost: benchCost,
  start: benchStart,
  profile: benchProfile,
  launch: benchLaunch,
};

const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
let postgres: Promise<PostgresSizes> | null = null;
const bench: Omit<Bench, 'folder' | 'log'> = {
  options: {
    members: Number(values.members),
    embeddedMembers: Number(values['embedded-members']),
    sizes: numbers(values.sizes),
    inFlight: numbers(values['in-flight']),
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    launchPeople: Number(values['launch-people']),
    launchMinutes: Number(values['launch-minutes']),
  },
  postgres() {
    postgres ??= openPostgresSizes(folder);
    return postgres;
  },
};

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await cleanUp();
    await pause(PATIENCE_MS);
    await cleanUp(); // of what it has begun meanwhile
    process.exit(1);
  });
try {
  for (const part of PARTS.filter((known) => asked.includes(known))) await runPart(part);
  writeReport(readRecords(values.cache), values.results);
} finally {
  await cleanUp();
}

/** Also after a part that failed half way, whose servers are still there. */
async function cleanUp(): Promise<void> {
  await (postgres as Promise<PostgresSizes> | null)?.then((sizes) => sizes.stop());
  for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function runPart(part: Part): Promise<void> {
  const [beganAt, loadBefore] = [performance.now(), loadAverage()];
  const elapsed = () => (performance.now() - beganAt) / 1000;
  const partFolder = join(folder, part);
  mkdirSync(partFolder);
  const log = (line: string) => console.log(`${part} ${elapsed().toFixed(0)} s: ${line}`);
  const figures = await measureOf[part]({ ...bench, folder: partFolder, log });
  rmSync(partFolder, { recursive: true });
  keepRecord(values.cache, {
    part,
    at: new Date().toISOString(),
    seconds: elapsed(),
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command: commandOf(part),
    figures,
  });
  log('done');
}

/** What runs this part again as it was run. */
function commandOf(part: Part): string {
  const given = process.argv
    .slice(2)
    .filter(
      (word, index, words) =>
        !/^--(only|cache|results)/.test(word) && !/^--(only|cache|results)$/.test(words[index - 1] ?? ''),
    );
  return ['npm run bench -- --only', part, ...given].join(' ');
}
