/**
 * `npm run bench:live`: what open status pages cost. Joins in turns without and with 10,000 pages
 * of one server, its memory and processor, and how long a page waits for the news of a friend.
 * Writes bench/LIVE.md. Options: --members, --pages, --rounds, --seconds,
 * --engines embedded,postgres.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { apiPaths } from '../../contract/paths.ts';
import type { Member } from '../../contract/schemas.ts';
import { build, fill, startProduct, thisCheckout, writeSample } from '../checkout.ts';
import { type Measured, measure, medianOf } from '../load/closed-loop.ts';
import { memoryBytes, processorUs } from '../load/processor-time.ts';
import type { Sample } from '../members/read-sample.ts';
import { type NewPlace, onEngines } from '../operator/on-engines.ts';
import { orDash, short, table, whole } from '../report/markdown.ts';
import { describeMachine, keepRecord, loadAverage, readRecord } from '../report/records.ts';
import type { PagesOrder, PagesReport } from './pages-client.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '100000' },
    pages: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '3' },
    engines: { type: 'string', default: 'embedded,postgres' },
  },
});
const [members, pages, rounds, seconds] = [
  values.members,
  values.pages,
  values.rounds,
  values.seconds,
].map(Number) as [number, number, number, number];
const ENGINES = ['embedded', 'postgres'] as const;
const cache = join(thisCheckout.root, '.cache/bench-live');
const CLIENT = fileURLToPath(new URL('pages-client.ts', import.meta.url));
const LOAD = { kind: 'join', inFlight: 16, seconds, warmUpSeconds: 1 } as const;
/** After the last page is told its status, or gone. */
const SETTLES_MS = 2_000;
const IDLE_SECONDS = 10;
const FRIENDS = 100;
const MB = 2 ** 20;

type Figures = {
  readonly without: readonly Measured[];
  readonly with: readonly Measured[];
  /** Bytes a page, and the share of a processor that the pages take while nothing happens. */
  readonly bytes: number | null;
  readonly idleShare: number | null;
  /** Milliseconds from sending a friend's join to the news on the page. */
  readonly waits: readonly number[];
};

type Pages = { readonly client: ChildProcess; close(): Promise<void> };

async function openPages(order: PagesOrder): Promise<Pages> {
  const client = fork(CLIENT);
  client.send(order);
  for (;;) {
    const [message] = (await once(client, 'message')) as [PagesReport];
    if (message.kind === 'open') break;
  }
  await pause(SETTLES_MS);
  return {
    client,
    async close() {
      client.disconnect();
      await once(client, 'exit');
      await pause(SETTLES_MS);
    },
  };
}

async function measureIdle(pid: number): Promise<number | null> {
  const before = processorUs(pid);
  await pause(IDLE_SECONDS * 1_000);
  const after = processorUs(pid);
  return before === null || after === null ? null : (after - before) / IDLE_SECONDS / 1e6;
}

async function measureWaits(url: string, ids: readonly string[], client: ChildProcess) {
  const waits: number[] = [];
  for (const id of ids.slice(0, FRIENDS)) {
    const { referral_code: code } = (await (
      await fetch(url + apiPaths.status(id))
    ).json()) as Member;
    const told = new Promise<number>((resolve) => {
      client.on('message', function hear(message: PagesReport) {
        if (message.kind !== 'told' || message.id !== id) return;
        client.off('message', hear);
        resolve(message.at);
      });
    });
    const sentAt = performance.timeOrigin + performance.now();
    const email = `friend.${id}.${Math.floor(sentAt)}@mail.example`;
    const response = await fetch(url + apiPaths.join(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, referred_by: code }),
    });
    if (response.status !== 201) throw new Error(await response.text());
    waits.push((await told) - sentAt);
  }
  return waits.toSorted((a, b) => a - b);
}

async function measureEngine(newPlace: NewPlace): Promise<Figures> {
  const place = await newPlace();
  await fill(thisCheckout, place, members);
  const sampleFile = await writeSample(thisCheckout, place);
  const sample = JSON.parse(readFileSync(sampleFile, 'utf8')) as Sample;
  const ids = [...new Set(sample.ids)].slice(0, pages);
  const server = await startProduct(thisCheckout, place, { MAIL_RATE: '10' });
  const target = { ...server, sampleFile };
  const order = { port: server.port, ids };
  const without: Measured[] = [];
  const beside: Measured[] = [];
  try {
    await measure(target, LOAD);
    const idleBefore = await measureIdle(server.pid);
    const memoryBefore = memoryBytes([server.pid]);
    const first = await openPages(order);
    const idleBeside = await measureIdle(server.pid);
    const memory = memoryBytes([server.pid]);
    const waits = await measureWaits(server.url, ids, first.client);
    await first.close();
    const ways = [
      async () => void without.push(await measure(target, LOAD)),
      async () => {
        const opened = await openPages(order);
        beside.push(await measure(target, LOAD));
        await opened.close();
      },
    ];
    for (let round = 0; round < rounds; round += 1)
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) await way();
    return {
      without,
      with: beside,
      bytes: memory === null || memoryBefore === null ? null : (memory - memoryBefore) / ids.length,
      idleShare: idleBeside === null || idleBefore === null ? null : idleBeside - idleBefore,
      waits,
    };
  } finally {
    await server.stop();
  }
}

async function record(name: string, newPlace: NewPlace): Promise<void> {
  const beganAt = performance.now();
  const loadBefore = loadAverage();
  const figures = await measureEngine(newPlace);
  keepRecord(cache, {
    part: name,
    at: new Date().toISOString(),
    seconds: (performance.now() - beganAt) / 1000,
    machine: describeMachine(),
    loadBefore,
    loadAfter: loadAverage(),
    command:
      `npm run bench:live -- --engines ${name} --members ${members} --pages ${pages} ` +
      `--rounds ${rounds} --seconds ${seconds}`,
    figures,
  });
}

function report(name: string): string {
  const kept = readRecord(cache, name);
  if (kept === null) return `## ${name}\n\nNot measured.`;
  const { without, with: beside, bytes, idleShare, waits } = kept.figures as Figures;
  const ratios = beside
    .map((one, round) => one.perSecond / (without[round]?.perSecond ?? Number.NaN))
    .toSorted((a, b) => a - b);
  const middle = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN;
  const cells = (way: string, runs: readonly Measured[], ratio: string) => {
    const median = medianOf(runs);
    return [
      way,
      whole(median.perSecond),
      ratio,
      short(median.p50Ms),
      short(median.p99Ms),
      orDash(median.serverUs, whole),
      orDash(median.databaseUs, whole),
    ];
  };
  const spread = `${middle.toFixed(2)} (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`;
  const head = ['joins', 'a second', 'ratio', 'p50 ms', 'p99 ms', 'server µs', 'database µs'];
  const at = (share: number) => waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN;
  return `## ${name}

${kept.at.slice(0, 10)}, ${kept.machine}, load ${short(kept.loadBefore)} before and
${short(kept.loadAfter)} after. Again:
\`${kept.command}\`

${table(head, [cells('without pages', without, ''), cells('beside the pages', beside, spread)])}

- Memory: ${orDash(bytes, (all) => short(all / 1024))} KB a page, ${orDash(bytes, (all) =>
    whole((all * pages) / MB),
  )} MB in all.
- Processor while nothing happens: ${orDash(idleShare, writeShare)} of one.
- From sending a friend's join to the news on the page: p50 ${short(at(0.5))} ms, p99
  ${short(at(0.99))} ms, of ${waits.length}.`;
}

build(thisCheckout);
await onEngines(values.engines.split(','), record, { shared_buffers: '1GB' });
writeFileSync(
  fileURLToPath(new URL('../LIVE.md', import.meta.url)),
  `# Open status pages

${whole(pages)} status pages of as many members are open on one server, by their streams, in a
line of ${whole(members)}. Joins in turns without and beside them, the order turned round after
each round: medians, and the ratio of the same round with the least and the largest. Every other
join is invited by a member drawn from the line, one in ten of whom watches. The client of the pages
shares the two processors with the server and the client of the joins.

${ENGINES.map(report).join('\n\n')}
`,
);

/** The server does other things meanwhile, so a small difference may even be negative. */
function writeShare(share: number): string {
  return share < 0.01 ? 'less than 1 %' : `${short(share * 100)} %`;
}
