/** How long a start takes, and how soon the three pages begin to arrive. */
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { pagePaths } from '../../contract/paths.ts';
import { startBaseline } from '../baseline/start-baseline.ts';
import { type Place, startProduct, thisCheckout, writeSample } from '../checkout.ts';
import { pick } from '../load/requests.ts';
import type { Sample } from '../members/read-sample.ts';
import { short, table, whole } from '../report/markdown.ts';
import { median, percentile } from '../statistics.ts';
import { fillPlaces } from './filled-places.ts';
import type { Part } from './part.ts';

type PageFigures = {
  readonly page: string;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
};

export type StartFigures = {
  readonly starts: readonly { readonly what: string; readonly seconds: number }[];
  readonly pages: readonly PageFigures[];
};

const STARTS = 3;
const PAGES_ASKED = 400;

export const startPart: Part<StartFigures> = {
  name: 'start',
  async measure(bench) {
    const { members, embeddedMembers, postgres, embedded, filled, sized } = await fillPlaces(bench);
    let made = 0;
    const startsOf: readonly [what: string, place: () => Place | Promise<Place>][] = [
      ['embedded, first start: makes the database', () => embedded(`empty-${made++}`)],
      [`embedded, ${whole(embeddedMembers)} members`, () => filled],
      ['PostgreSQL, first start: makes tables and queue', () => postgres.createEmpty('start')],
      [`PostgreSQL, ${whole(members)} members`, () => sized],
    ];
    const starts = [];
    for (const [what, placeOf] of startsOf) {
      const seconds: number[] = [];
      for (let index = 0; index < STARTS; index += 1)
        seconds.push(await timeStart(await placeOf()));
      starts.push({ what, seconds: median(seconds) });
    }
    bench.log('starts timed');

    const sample = await writeSample(thisCheckout, sized);
    const { ids, codes } = JSON.parse(readFileSync(sample, 'utf8')) as Sample;
    const server = await startProduct(thisCheckout, sized);
    const size = { rows: 1, bytes: 16_384 };
    const baseline = await startBaseline(await postgres.createEmpty('start-baseline'), size);
    const pathsOf: readonly [page: string, port: number, path: () => string][] = [
      ['constant route, 16 kB', baseline.port, () => '/constant'],
      ['landing', server.port, () => pagePaths.landing()],
      ['status', server.port, () => pagePaths.status(pick(ids))],
      ['invite', server.port, () => pagePaths.invite(pick(codes))],
    ];
    const pages = [];
    for (const [page, port, path] of pathsOf)
      pages.push({ page, ...(await timePages(port, path)) });
    await server.stop();
    await baseline.stop();
    await postgres.drop(sized);
    return { starts, pages };
  },
  report({ starts, pages }) {
    const startRows = starts.map(({ what, seconds }) => [what, short(seconds)]);
    const pageRows = pages.map(({ page, p50Ms, p99Ms, bytes }) => [
      page,
      short(p50Ms),
      short(p99Ms),
      whole(bytes),
    ]);
    return `## Start and first byte

From the start of the process to the first landing page, median of ${STARTS}. Files are in the
system's cache.

${table(['start', 's'], startRows)}

First byte of a page, each on a connection of its own, one after the other; bytes are those of the
body, compressed with Brotli.

${table(['page', 'p50 ms', 'p99 ms', 'bytes'], pageRows)}`;
  },
};

/** Seconds from the start of the process to the first landing page. */
async function timeStart(place: Place): Promise<number> {
  const beganAt = performance.now();
  const server = await startProduct(thisCheckout, place);
  await firstByte(server.port, pagePaths.landing());
  const seconds = (performance.now() - beganAt) / 1000;
  await server.stop();
  return seconds;
}

async function timePages(port: number, path: () => string): Promise<Omit<PageFigures, 'page'>> {
  const timed = [];
  for (let index = 0; index < PAGES_ASKED; index += 1) timed.push(await firstByte(port, path()));
  const warm = timed.slice(PAGES_ASKED / 4);
  const latenciesMs = warm.map(({ ms }) => ms).sort((a, b) => a - b);
  const bytes = median(warm.map((page) => page.bytes));
  return { p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99), bytes };
}

function firstByte(port: number, path: string): Promise<{ ms: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const beganAt = performance.now();
    const headers = { 'accept-encoding': 'br' };
    get({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      const ms = performance.now() - beganAt;
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`));
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ ms, bytes }));
    }).on('error', reject);
  });
}
