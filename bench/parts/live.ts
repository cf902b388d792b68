import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { openProduct, thisCheckout } from '../checkout.ts';
import { type Measured, measure, medianOf } from '../load/measure.ts';
import { memoryBytes } from '../load/processor-time.ts';
import type { Part } from '../part.ts';
import type { Engine } from '../places.ts';
import { megabytes, orDash, short, table, whole } from '../report/markdown.ts';
import { median } from '../statistics.ts';

const MEMBERS = 100_000;
const PAGES = 10_000;
const ROUNDS = 6;
const LOAD = { kind: 'join', inFlight: 16, warmUpSeconds: 1, seconds: 3 } as const;
const SETTLES_MS = 2_000;
/** More connections at a time would overflow the server's backlog. */
const OPENED_AT_ONCE = 250;

export const livePart = (engine: Engine): Part => ({
  name: `live-${engine}`,
  writes: 'LIVE.md',
  scale: { members: MEMBERS, pages: PAGES, rounds: ROUNDS, seconds: LOAD.seconds },
  async measure({ newPlace, log }) {
    const place = await newPlace(engine);
    const server = await openProduct(thisCheckout, place, { members: MEMBERS });
    const ids = [...new Set(server.sample.ids.slice(0, PAGES))];
    const measureJoins = () => measure(server, LOAD);
    await measureJoins();

    const memoryBefore = memoryBytes(server.pid);
    const closePages = await openPages(server.url, ids);
    const memory = memoryBytes(server.pid);
    await closePages();
    log(`${ids.length} pages opened`);

    const [without, beside]: [Measured[], Measured[]] = [[], []];
    const ways = [
      async () => void without.push(await measureJoins()),
      async () => {
        const close = await openPages(server.url, ids);
        beside.push(await measureJoins());
        await close();
      },
    ];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) await way();
    const bytes = memory === null || memoryBefore === null ? null : memory - memoryBefore;
    const tables = [describeJoins(without, beside), describePages(bytes)];
    return { section: [`## ${engine}`, ...tables].join('\n\n') };
  },
});

function describeJoins(without: readonly Measured[], beside: readonly Measured[]): string {
  const ratios = beside
    .map(({ perSecond }, round) => perSecond / (without[round]?.perSecond ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const [middle, least, most] = [median(ratios), ratios[0] ?? 0, ratios.at(-1) ?? 0];
  const spread = `${short(middle)} (${short(least)} to ${short(most)})`;
  const cells = (way: string, runs: readonly Measured[], ratio: string) => {
    const { perSecond, p50Ms, p99Ms, serverUs, databaseUs } = medianOf(runs);
    const costs = [serverUs, databaseUs].map((us) => orDash(us, whole));
    return [way, whole(perSecond), ratio, short(p50Ms), short(p99Ms), ...costs];
  };
  const head = ['joins', 'a second', 'ratio', 'p50 ms', 'p99 ms', 'server µs', 'database µs'];
  return table(head, [
    cells('without pages', without, ''),
    cells('beside the pages', beside, spread),
  ]);
}

function describePages(bytes: number | null): string {
  const memory = [orDash(bytes, megabytes), orDash(bytes && bytes / PAGES / 1000)];
  return table(['pages', 'memory of all', 'KB a page'], [[whole(PAGES), ...memory]]);
}

/** Resolves once each page has its first message; returns a function that closes all. */
async function openPages(url: string, ids: readonly string[]): Promise<() => Promise<void>> {
  const sockets: Socket[] = [];
  const open = (id: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
      sockets.push(socket);
      socket.on('error', reject);
      socket.on('data', (bytes) => {
        if (bytes.includes('"referral_count":')) resolve();
      });
      socket.write(`GET ${fillPath(apiPaths.live, id)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    });
  for (let from = 0; from < ids.length; from += OPENED_AT_ONCE)
    await Promise.all(ids.slice(from, from + OPENED_AT_ONCE).map(open));
  await pause(SETTLES_MS);
  return async () => {
    for (const socket of sockets) socket.destroy();
    await pause(SETTLES_MS);
  };
}
