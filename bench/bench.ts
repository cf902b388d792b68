/**
 * `npm run bench`: every figure beside a baseline, measured in one run. Writes bench/RESULTS.md and
 * bench/plots/. `--only embedded,growth` runs some parts; the report has the last figures of every
 * part. `--only report` measures nothing. `--beside FOLDER` measures another checkout, with its
 * packages installed, in turns with this one (parts postgres, embedded and growth) and writes
 * .cache/bench-beside/RESULTS.md.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { build, otherCheckout, thisCheckout } from './checkout.ts';
import { childrenOf } from './load/processor-time.ts';
import { costPart } from './parts/cost.ts';
import { growthPart } from './parts/growth.ts';
import { launchPart } from './parts/launch-day.ts';
import type { Bench, Part } from './parts/part.ts';
import { profilePart } from './parts/profile.ts';
import { embeddedPart, postgresPart } from './parts/speed.ts';
import { stallsPart } from './parts/stalls.ts';
import { startPart } from './parts/start.ts';
import { describeMachine, keepRecord, loadAverage, readRecord } from './report/records.ts';
import { writeReport } from './report/write-report.ts';
import { openPostgresSizes, type PostgresSizes } from './sized-databases.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    beside: { type: 'string' },
    members: { type: 'string', default: '1000000' },
    'embedded-members': { type: 'string', default: '100000' },
    sizes: { type: 'string', default: '10000,1000000,10000000' },
    'in-flight': { type: 'string', default: '1,16,64,256' },
    seconds: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    'launch-people': { type: 'string', default: '100000' },
    'launch-minutes': { type: 'string', default: '4' },
    /** Where figures and profiles are kept, and where the report goes. */
    cache: { type: 'string' },
    results: { type: 'string' },
  },
});
const PARTS: readonly Part<unknown>[] = [
  postgresPart,
  embeddedPart,
  growthPart,
  costPart,
  startPart,
  profilePart,
  stallsPart,
  launchPart,
];
const BESIDE_PARTS = [postgresPart, embeddedPart, growthPart].map(({ name }) => name);
/** For a part that is interrupted to put away what is its own. */
const PATIENCE_MS = 3_000;

const { beside } = values;
const known = beside === undefined ? PARTS.map(({ name }) => name) : BESIDE_PARTS;
const wanted = values.only?.split(',') ?? known;
const unknown = wanted.filter((name) => name !== 'report' && !known.includes(name));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join()}: ${known.join()}.`);

const { root } = thisCheckout;
const ownCache = join(root, '.cache', beside === undefined ? 'bench' : 'bench-beside');
const cache = values.cache ?? ownCache;
const figuresFolder = join(cache, 'figures');
const results = values.results ?? (beside === undefined ? join(root, 'bench') : ownCache);
const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
const numbers = (text: string) => text.split(',').map(Number);
let postgres: Promise<PostgresSizes> | null = null;
const bench: Omit<Bench, 'folder' | 'log'> = {
  options: {
    members: Number(values.members),
    embeddedMembers: Number(values['embedded-members']),
    sizes: numbers(values.sizes),
    inFlight: numbers(values['in-flight']),
    seconds: Number(values.seconds),
    warmUpSeconds: Number(values['warm-up']),
    rounds: Number(values.rounds),
    launchPeople: Number(values['launch-people']),
    launchMinutes: Number(values['launch-minutes']),
    cache,
  },
  checkouts: [thisCheckout, ...(beside === undefined ? [] : [otherCheckout(resolve(beside))])],
  postgres() {
    postgres ??= openPostgresSizes(folder);
    return postgres;
  },
};

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await cleanUp();
    await pause(PATIENCE_MS);
    await cleanUp(); // The part may have started more meanwhile.
    process.exit(1);
  });
try {
  const parts = PARTS.filter(({ name }) => wanted.includes(name));
  if (parts.length > 0) bench.checkouts.forEach(build);
  for (const part of parts) await runPart(part);
  const measured = PARTS.flatMap((part) => {
    const record = readRecord(figuresFolder, part.name);
    return record === null ? [] : [{ part, record }];
  });
  await writeReport(measured, results);
  console.log(`Written: ${join(results, 'RESULTS.md')}`);
} finally {
  await cleanUp();
}

/** Also after a part that failed and left its servers running. */
async function cleanUp(): Promise<void> {
  await (postgres as Promise<PostgresSizes> | null)?.then((sizes) => sizes.stop());
  for (const pid of childrenOf(process.pid)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

async function runPart(part: Part<unknown>): Promise<void> {
  const [beganAt, loadBefore] = [performance.now(), loadAverage()];
  const elapsed = () => (performance.now() - beganAt) / 1000;
  const partFolder = join(folder, part.name);
  mkdirSync(partFolder);
  const log = (line: string) => console.log(`${part.name} ${elapsed().toFixed(0)} s: ${line}`);
  const figures = await part.measure({ ...bench, folder: partFolder, log });
  rmSync(partFolder, { recursive: true });
  keepRecord(figuresFolder, {
    part: part.name,
    at: new Date().toISOString(),
    seconds: elapsed(),
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command: commandOf(part.name),
    figures,
  });
  log('done');
}

/** What runs this part again as it was run. */
function commandOf(part: string): string {
  const kept = Object.entries(values).flatMap(([option, value]) => {
    const isGiven = process.argv.some((word) => word.split('=')[0] === `--${option}`);
    if (!isGiven || ['only', 'cache', 'results'].includes(option)) return [];
    return [`--${option}`, option === 'beside' ? 'FOLDER' : value];
  });
  return ['npm run bench -- --only', part, ...kept].join(' ');
}
