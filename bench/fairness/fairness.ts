/**
 * `npm run fairness`: labelled lines, honest and not, against a real server with defaults. Writes
 * bench/FAIRNESS.md; fails when a goal is missed. Options: --seeds, on which the figures are
 * reported, --engines embedded,postgres. The report has the last figures of each engine.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { brand } from '../../brand/brand.ts';
import { createDatabase } from '../../test/support/postgres-databases.ts';
import { startPostgres } from '../../test/support/postgres-server.ts';
import { build, thisCheckout } from '../checkout.ts';
import { describeMachine, keepRecord, loadAverage, readRecord } from '../report/records.ts';
import { ablate } from './ablation.ts';
import { countKinds, mergeKinds } from './figures.ts';
import {
  type CheatFigures,
  cheat,
  oneProvider,
  spellings,
  unreachable,
} from './http/easy-cheats.ts';
import { type FairServer, startFairServer } from './http/fair-server.ts';
import { playLine } from './http/play-line.ts';
import { makeLine } from './make-line.ts';
import { type EngineFigures, missedGoals, writeFairnessReport } from './write-report.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: 'unseen-1,unseen-2' },
    engines: { type: 'string', default: 'embedded,postgres' },
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
  const server = await startFairServer(await newDatabase(), settings);
  try {
    return await use(server);
  } finally {
    await server.remove();
  }
}

async function measure(engine: string, newDatabase: NewDatabase): Promise<void> {
  const [begunAt, loadBefore] = [performance.now(), loadAverage()];
  const log = (text: string) =>
    console.log(`${engine} ${((performance.now() - begunAt) / 1000).toFixed(0)} s: ${text}`);
  const lines = seeds.map((seed) => makeLine(seed));
  const kinds = [];
  for (const [index, line] of lines.entries()) {
    const played = await withServer(newDatabase, (server) => playLine(server, line));
    kinds.push(...countKinds(line, played));
    log(`${seeds[index]}: ${played.atJoin.length} joined, ${played.refused.length} were refused`);
  }
  const cheats: CheatFigures[] = [
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
  log('the easy ways are tried');
  const figures: EngineFigures = {
    seeds,
    kinds: mergeKinds(kinds),
    cheats,
    ablation: ablate(lines, brand.fairness),
  };
  keepRecord(cache, {
    part: engine,
    at: new Date().toISOString(),
    seconds: (performance.now() - begunAt) / 1000,
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command: `npm run fairness -- --engines ${engine} --seeds ${seeds.join()}`,
    figures,
  });
}

build(thisCheckout);
const wanted = values.engines.split(',');
if (wanted.includes('embedded')) await measure('embedded', async () => null);
if (wanted.includes('postgres')) {
  const postgres = await startPostgres({ isDurable: true });
  await measure('postgres', async () => (await createDatabase(postgres.url)).url).finally(() =>
    postgres.stop(),
  );
}
const records = ENGINES.flatMap((engine) => readRecord(cache, engine) ?? []);
writeFairnessReport(records, join(thisCheckout.root, 'bench/FAIRNESS.md'));
const missed = records.flatMap(missedGoals);
for (const goal of missed) console.error(goal);
process.exit(missed.length > 0 ? 1 : 0);
