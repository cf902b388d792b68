/**
 * `npm run fairness`: labelled lines, honest and not, against a real server with defaults. Writes
 * bench/FAIRNESS.md; fails when a goal is missed. Options: --seeds, on which the figures are
 * reported, --engines embedded,postgres. The report has the last figures of each engine.
 * `--beside FOLDER` measures the speed of joins instead, in turns with another checkout.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { brand } from '../../brand/brand.ts';
import { createDatabase } from '../../test/support/postgres-databases.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { build, otherCheckout, thisCheckout } from '../checkout.ts';
import {
  describeMachine,
  keepRecord,
  loadAverage,
  type PartRecord,
  readRecord,
} from '../report/records.ts';
import { ablate } from './ablation.ts';
import { countKinds, type KindFigures, mergeKinds } from './figures.ts';
import {
  type CheatFigures,
  cheat,
  oneProvider,
  spellings,
  unreachable,
} from './http/easy-cheats.ts';
import { type FairServer, startFairServer } from './http/fair-server.ts';
import { playLine } from './http/play-line.ts';
import { measureSpeed } from './join-speed.ts';
import { makeLine } from './make-line.ts';
import type { Visit } from './visit.ts';
import { type EngineFigures, missedGoals, writeFairnessReport } from './write-report.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: 'unseen-1,unseen-2' },
    engines: { type: 'string', default: 'embedded,postgres' },
    beside: { type: 'string' },
  },
});
const seeds = values.seeds.split(',');
const ENGINES = ['embedded', 'postgres'] as const;
const cache = join(thisCheckout.root, '.cache/fairness');

type NewDatabase = () => Promise<string | null>;

async function withServer<Result>(
  newDatabase: NewDatabase,
  use: (server: FairServer) => Promise<Result>,
  settings?: Readonly<Record<string, string>>,
): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waitlist-fairness-'));
  const place = { dataDir, databaseUrl: await newDatabase() };
  const server = await startFairServer(place, settings);
  try {
    return await use(server);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  }
}

type Measure = (engine: string, newDatabase: NewDatabase) => Promise<void>;

/** All lines at once, each on a server of its own: what takes long is waiting for answers. */
async function measure(engine: string, newDatabase: NewDatabase): Promise<void> {
  const [begunAt, loadBefore] = [performance.now(), loadAverage()];
  const log = (text: string) =>
    console.log(`${engine} ${((performance.now() - begunAt) / 1000).toFixed(0)} s: ${text}`);

  async function play(seed: string): Promise<{ line: Visit[]; kinds: KindFigures[] }> {
    const line = makeLine(seed);
    const played = await withServer(newDatabase, (server) => playLine(server, line));
    log(`${seed}: ${played.atJoin.length} joined`);
    for (const { visit, status } of played.refused) log(`${visit.kind} refused: ${status}`);
    return { line, kinds: countKinds(line, played) };
  }

  const [cheats, lines] = await Promise.all([
    tryCheats(newDatabase),
    Promise.all(seeds.map((seed) => play(seed))),
  ]);
  const figures: EngineFigures = {
    seeds,
    kinds: mergeKinds(lines.flatMap(({ kinds }) => kinds)),
    cheats,
    ablation: ablate(
      lines.map(({ line }) => line),
      brand.fairness,
    ),
  };
  const options = `--engines ${engine} --seeds ${seeds.join()}`;
  keep({ part: engine, begunAt, loadBefore, figures }, options);
}

async function tryCheats(newDatabase: NewDatabase): Promise<CheatFigures[]> {
  return [
    await withServer(newDatabase, (server) =>
      cheat(server, oneProvider(seeds[0] ?? ''), { friends: 3_000 }),
    ),
    await withServer(newDatabase, (server) => cheat(server, unreachable, { friends: 100 })),
    await withServer(
      newDatabase,
      (server) => cheat(server, spellings, { friends: 100, isConfirming: true }),
      { REFERRAL_CREDIT: 'confirm' },
    ),
  ];
}

async function measureBeside(engine: string, newDatabase: NewDatabase): Promise<void> {
  const [begunAt, loadBefore] = [performance.now(), loadAverage()];
  const other = otherCheckout(resolve(values.beside ?? ''));
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-fairness-'));
  try {
    const figures = await measureSpeed([other, thisCheckout], { folder, newDatabase });
    console.log(`${engine}: ${JSON.stringify(figures)}`);
    keep({ part: `speed-${engine}`, begunAt, loadBefore, figures }, '--beside FOLDER');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

type Run = Pick<PartRecord, 'part' | 'loadBefore' | 'figures'> & { readonly begunAt: number };

/** And writes the report, with what is known by now. */
function keep({ begunAt, ...run }: Run, options: string): void {
  keepRecord(cache, {
    ...run,
    at: new Date().toISOString(),
    seconds: (performance.now() - begunAt) / 1000,
    machine: describeMachine(),
    loadAfter: loadAverage(),
    command: `npm run fairness -- ${options}`,
  });
  writeFairnessReport(
    { lines: recordsOf(''), speeds: recordsOf('speed-') },
    join(thisCheckout.root, 'bench/FAIRNESS.md'),
  );
}

function recordsOf(prefix: string): PartRecord[] {
  return ENGINES.flatMap((engine) => readRecord(cache, prefix + engine) ?? []);
}

build(thisCheckout);
const wanted = values.engines.split(',');
const run: Measure = values.beside === undefined ? measure : measureBeside;
if (wanted.includes('embedded')) await run('embedded', async () => null);
if (wanted.includes('postgres')) {
  const postgres = await startPostgres({ isDurable: true });
  const newDatabase = async () => (await createDatabase(postgres.url)).url;
  await run('postgres', newDatabase).finally(() => postgres.stop());
}
const missed = recordsOf('').flatMap(missedGoals);
for (const goal of missed) console.error(goal);
process.exit(missed.length > 0 ? 1 : 0);
