/** How long a start takes, from the process to the first answer, and how soon the three pages begin to arrive. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pagePaths } from '../../contract/paths.ts';
import { freePort, type ServerProcess, spawnServer, startServer } from '../../test/support/server-process.ts';
import { type Place, startFloor } from '../floor-process.ts';
import { getBytes, type Sample } from '../load/request-bytes.ts';
import { writeSample } from '../members/read-sample.ts';
import { generate } from '../sized-databases.ts';
import { median, percentile } from '../statistics.ts';
import type { Bench } from './part.ts';
import { settingsOf } from './speed.ts';

export type StartFigures = {
  readonly starts: readonly { readonly what: string; readonly seconds: number }[];
  readonly pages: readonly PageFigures[];
};

type PageFigures = {
  readonly page: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
};

const STARTS = 3;
const PAGES_ASKED = 400;

export async function benchStart(bench: Bench): Promise<StartFigures> {
  const { members, embeddedMembers } = bench.options;
  const postgres = await bench.postgres();
  const embedded = await generate(
    { dataDir: join(bench.folder, 'start-embedded'), databaseUrl: null },
    embeddedMembers,
  );
  const sized = await postgres.copyOf(members);
  const count = (number: number) => number.toLocaleString('en');
  let made = 0;
  const nameOfEmpty = () => {
    made += 1;
    return `start-empty-${made}`;
  };
  const emptyEmbedded = async () => ({ dataDir: join(bench.folder, nameOfEmpty()), databaseUrl: null });
  const emptyPostgres = async () => await postgres.createEmpty(nameOfEmpty());
  const startsOf: readonly [what: string, place: () => Promise<Place>][] = [
    ['embedded, first start: the database is made', emptyEmbedded],
    [`embedded, ${count(embeddedMembers)} members`, async () => embedded],
    ['PostgreSQL, first start: tables and queue are made', emptyPostgres],
    [`PostgreSQL, ${count(members)} members`, async () => sized],
  ];
  const starts = [];
  for (const [what, place] of startsOf) {
    const seconds: number[] = [];
    for (let index = 0; index < STARTS; index += 1) seconds.push(await timeStart(await place()));
    starts.push({ what, seconds: median(seconds) });
  }
  bench.log('starts timed');

  const { ids, codes } = JSON.parse(readFileSync(await writeSample(sized), 'utf8')) as Sample;
  const server = await startServer(settingsOf(sized));
  const floor = await startFloor(await postgres.createEmpty('start-floor'), { rows: 1, bytes: 16_384 });
  const floorPort = floor.port;
  const paths: readonly [page: string, port: number, path: () => string][] = [
    ['constant route, 16 kB', floorPort, () => '/constant'],
    ['landing', portOf(server), () => pagePaths.landing()],
    ['status', portOf(server), () => pagePaths.status(pick(ids))],
    ['invite', portOf(server), () => pagePaths.invite(pick(codes))],
  ];
  const pages: PageFigures[] = [];
  for (const [page, port, path] of paths) pages.push({ page, ...(await timePages(port, path)) });
  await server.stop();
  await floor.stop();
  await postgres.drop(sized);
  return { starts, pages };
}

/** Seconds from the start of the process to the first answer of the landing page. */
async function timeStart(place: Place): Promise<number> {
  const port = await freePort();
  const beganAt = performance.now();
  const child = spawnServer({ ...settingsOf(place), PORT: String(port) });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  while (!(await firstByte(port, '/').catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`The server ended instead of opening: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const seconds = (performance.now() - beganAt) / 1000;
  child.kill('SIGTERM');
  await exited;
  return seconds;
}

/** One after the other, each over a connection of its own, from the call of connect. */
async function timePages(port: number, path: () => string): Promise<Omit<PageFigures, 'page'>> {
  const timed = [];
  for (let index = 0; index < PAGES_ASKED; index += 1) timed.push(await firstByte(port, path()));
  const warm = timed.slice(PAGES_ASKED / 4);
  const latenciesMs = warm.map(({ ms }) => ms).sort((a, b) => a - b);
  const bytes = median(warm.map((page) => page.bytes));
  return { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99), bytes };
}

/** Bytes are those of the whole answer. */
function firstByte(port: number, path: string): Promise<{ ms: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const beganAt = performance.now();
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.write(getBytes(path, 'accept-encoding: br\r\nconnection: close\r\n'));
    let [ms, bytes] = [0, 0];
    socket.on('data', (data) => {
      if (bytes === 0) {
        ms = performance.now() - beganAt;
        if (!data.toString('latin1', 0, 12).endsWith('200'))
          socket.destroy(new Error(`${path}: ${data.toString('latin1', 0, 80)}`));
      }
      bytes += data.length;
    });
    socket.on('error', reject);
    socket.on('end', () => resolve({ ms, bytes }));
  });
}

function portOf({ url }: ServerProcess): number {
  return Number(new URL(url).port);
}

function pick(list: readonly string[]): string {
  return list[Math.floor(Math.random() * list.length)] ?? '';
}
