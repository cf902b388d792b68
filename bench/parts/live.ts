import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { apiPaths, fillPath } from '../../contract/paths.ts';
import { openProduct, readSample, thisCheckout } from '../checkout.ts';
import { type Measured, measure, medianOf } from '../load/closed-loop.ts';
import { openConnection } from '../load/connection.ts';
import { memoryBytes } from '../load/processor-time.ts';
import { joinText } from '../load/requests.ts';
import { definePart } from '../part.ts';
import type { Engine } from '../places.ts';
import { megabytes, orDash, short, table, whole } from '../report/markdown.ts';
import { median, percentile } from '../statistics.ts';

const OPTIONS = { members: 100_000, pages: 10_000, rounds: 6, seconds: 3 };
const LOAD = { kind: 'join', inFlight: 16, warmUpSeconds: 1 } as const;
const SETTLES_MS = 2_000;
const FRIENDS = 100;
/** More connections at a time would overflow the server's backlog. */
const OPENED_AT_ONCE = 250;

export const livePart = (engine: Engine) =>
  definePart({
    name: `live-${engine}`,
    writes: 'LIVE.md',
    options: OPTIONS,
    async measure({ options: { members, pages, rounds, seconds }, newPlace, log }) {
      const server = await openProduct(thisCheckout, await newPlace(engine), { members });
      const { ids: sampled, codes } = readSample(server.sampleFile);
      const codeOf = new Map(sampled.slice(0, pages).map((id, index) => [id, codes[index] ?? '']));
      const ids = [...codeOf.keys()];
      const measureJoins = () => measure(server, { ...LOAD, seconds });
      await measureJoins();

      const memoryBefore = memoryBytes(server.pid);
      const opened = await openPages(server.port, ids);
      const memory = memoryBytes(server.pid);
      const waits = [];
      for (const [id, code] of [...codeOf].slice(0, FRIENDS)) {
        const news = opened.next(id);
        const sentAt = performance.now();
        await joinByCode(server.port, `friend-${id}`, code);
        waits.push((await news) - sentAt);
      }
      await opened.close();
      log(`${opened.count} pages opened`);

      const [without, beside]: [Measured[], Measured[]] = [[], []];
      const ways = [
        async () => void without.push(await measureJoins()),
        async () => {
          const { close } = await openPages(server.port, ids);
          beside.push(await measureJoins());
          await close();
        },
      ];
      for (let round = 0; round < rounds; round += 1)
        for (const way of round % 2 === 0 ? ways : ways.toReversed()) await way();
      await server.stop();
      return {
        without,
        beside,
        bytes: memory === null || memoryBefore === null ? null : memory - memoryBefore,
        waits: waits.toSorted((a, b) => a - b),
      };
    },
    describe({ without, beside, bytes, waits }, { pages }) {
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
      const rows = [cells('without pages', without, ''), cells('beside the pages', beside, spread)];
      const memory = [orDash(bytes, megabytes), orDash(bytes && bytes / pages / 1000)];
      const news = [0.5, 0.99].map((share) => short(percentile(waits, share)));
      const openHead = ['pages', 'memory of all', 'KB a page', 'news p50 ms', 'p99 ms'];
      const open = table(openHead, [[whole(pages), ...memory, ...news]]);
      return [`## ${engine}`, table(head, rows), open].join('\n\n');
    },
  });

async function openPages(port: number, ids: readonly string[]) {
  const waiting = new Map<string, (at: number) => void>();
  const sockets: Socket[] = [];
  const open = (id: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' });
      sockets.push(socket);
      waiting.set(id, () => resolve());
      socket.on('error', reject);
      socket.on('data', (bytes) => {
        if (bytes.includes('"referral_count":')) waiting.get(id)?.(performance.now());
      });
      socket.write(`GET ${fillPath(apiPaths.live, id)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    });
  for (let from = 0; from < ids.length; from += OPENED_AT_ONCE)
    await Promise.all(ids.slice(from, from + OPENED_AT_ONCE).map(open));
  await pause(SETTLES_MS);
  return {
    count: sockets.length,
    next: (id: string) => new Promise<number>((resolve) => waiting.set(id, resolve)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await pause(SETTLES_MS);
    },
  };
}

async function joinByCode(port: number, name: string, code: string): Promise<void> {
  const connection = openConnection(port);
  const join = { email: `${name}@mail.example`, code, key: name };
  const { status, body } = await connection.send(joinText(join));
  if (status !== 201) throw new Error(body);
  connection.close();
}
