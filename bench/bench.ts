/**
 * `npm run bench`: joins and status reads a second on both engines, each beside the least that could be done on the same engine,
 * in one run. Writes bench/RESULTS.md. Options: --members, --seconds, --rounds, --in-flight.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { apiPaths } from '../contract/paths.ts';
import { createDatabase } from '../test/support/postgres-databases.ts';
import { startPostgres } from '../test/support/postgres-server.ts';
import { freePort, startServer } from '../test/support/server-process.ts';
import { type Load, type Measured, measure, median } from './load.ts';
import { type Sample, seed } from './seed.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    'in-flight': { type: 'string', default: '64' },
  },
});
const members = Number(values.members);
const rounds = Number(values.rounds);
const options = { seconds: Number(values.seconds), inFlight: Number(values['in-flight']) };

type Row = { readonly name: string; readonly runs: Measured[] };
type Place = { readonly dataDir: string; readonly databaseUrl: string | null };

let joined = 0;
const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

function productLoads(url: string, { ids, codes }: Sample): Load[] {
  return [
    { url, method: 'GET', next: () => ({ path: apiPaths.status(pick(ids)) }) },
    {
      url,
      method: 'POST',
      next: () => {
        joined += 1;
        const referred_by = joined % 2 === 0 ? pick(codes) : null;
        const body = JSON.stringify({ email: `bench${joined}-${process.pid}@example.com`, referred_by });
        return { path: apiPaths.join(), body, headers: { 'idempotency-key': `bench-${process.pid}-${joined}` } };
      },
    },
  ];
}

function floorLoads(url: string, ids: readonly string[]): Load[] {
  return [
    { url, method: 'GET', next: () => ({ path: '/constant' }) },
    { url, method: 'GET', next: () => ({ path: `/select/${pick(ids)}` }) },
    {
      url,
      method: 'POST',
      next: () => {
        joined += 1;
        return { path: '/insert', body: JSON.stringify({ email: `floor${joined}-${process.pid}@example.com` }) };
      },
    },
  ];
}

async function startFloor(place: Place): Promise<{ url: string; stop(): void }> {
  const port = await freePort();
  mkdirSync(place.dataDir, { recursive: true });
  const child = spawn(process.execPath, [fileURLToPath(new URL('floor-server.ts', import.meta.url))], {
    env: {
      ...process.env,
      FLOOR_PORT: String(port),
      FLOOR_ROWS: String(members),
      FLOOR_DATA_DIR: place.dataDir,
      FLOOR_DATABASE_URL: place.databaseUrl ?? '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The floor server ended before it was open.')));
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => {});
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/** Rounds take turns between floor and product, so that a noisy minute of the machine meets both. */
async function benchEngine(product: Place, floorPlace: Place): Promise<Row[]> {
  const sample = await seed(product, members);
  const server = await startServer({
    DATA_DIR: product.dataDir,
    LIMITS: 'off',
    ...(product.databaseUrl === null ? {} : { DATABASE_URL: product.databaseUrl }),
  });
  const floor = await startFloor(floorPlace);
  const ids = (await (await fetch(`${floor.url}/ids`)).json()) as string[];
  const names = ['constant route', 'bare SELECT route', 'bare INSERT route', 'status read', 'join'];
  const loads = [...floorLoads(floor.url, ids), ...productLoads(server.url, sample)];
  const rows: Row[] = names.map((name) => ({ name, runs: [] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, load] of loads.entries()) {
      const measured = await measure(load, options);
      // Round 0 warms both up.
      if (round > 0) rows[index]?.runs.push(measured);
    }
  }
  await server.stop();
  floor.stop();
  return rows;
}

function tableOf(rows: readonly Row[]): string {
  const perSecond = new Map(rows.map(({ name, runs }) => [name, median(runs.map((run) => run.perSecond))]));
  const floorOf: Readonly<Record<string, string>> = { 'status read': 'bare SELECT route', join: 'bare INSERT route' };
  const lines = rows.map(({ name, runs }) => {
    const floor = floorOf[name];
    const ratio = floor === undefined ? '' : ((perSecond.get(name) ?? 0) / (perSecond.get(floor) ?? 1)).toFixed(2);
    const [p50, p99] = [median(runs.map((run) => run.p50Ms)), median(runs.map((run) => run.p99Ms))];
    return `| ${name} | ${Math.round(perSecond.get(name) ?? 0)} | ${p50} | ${p99} | ${ratio} |`;
  });
  return ['| | per second | p50 ms | p99 ms | of its floor |', '|---|---|---|---|---|', ...lines].join('\n');
}

const folder = mkdtempSync(join(tmpdir(), 'waitlist-bench-'));
const postgres = await startPostgres({ isDurable: true });
try {
  const place = (name: string, databaseUrl: string | null): Place => ({ dataDir: join(folder, name), databaseUrl });
  const embedded = await benchEngine(place('embedded', null), place('embedded-floor', null));
  const [productUrl, floorUrl] = [(await createDatabase(postgres.url)).url, (await createDatabase(postgres.url)).url];
  const onPostgres = await benchEngine(place('postgres', productUrl), place('postgres-floor', floorUrl));
  const report = `# Speed, beside the least that could be done

Medians of ${rounds} rounds of ${options.seconds} s with ${options.inFlight} requests in flight, at ${members.toLocaleString('en')} members, half of the joins invited. Product,
floors, database and the client share one machine (${cpus().length} cores, ${cpus()[0]?.model.trim()}), and every round measures all of them in
turn: read the ratios, not the absolute numbers. Every write is durable (fsync on) on both sides.

${new Date().toISOString().slice(0, 10)}, Node ${process.version}, \`npm run bench -- --members ${members} --seconds ${options.seconds} --rounds ${rounds} --in-flight ${options.inFlight}\`

## Embedded

${tableOf(embedded)}

## PostgreSQL (${postgres.description})

${tableOf(onPostgres)}
`;
  writeFileSync(fileURLToPath(new URL('RESULTS.md', import.meta.url)), report);
  console.log(report);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
