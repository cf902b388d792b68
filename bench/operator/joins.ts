/**
 * `npm run bench:joins`: joins with the work that the console adds to them, in turns on one server:
 * with a source, beside a webhook that refuses connections, and beside one that never answers.
 * With `--beside FOLDER` also those of another checkout. Writes bench/JOINS.md. Options: --members,
 * --rounds, --seconds, --in-flight, --engines embedded,postgres; the report has the last figures of
 * each engine.
 */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import type { EndpointWithSecret } from '../../contract/operator/webhooks/webhooks.ts';
import { freePort } from '../../test/support/server-process.ts';
import {
  build,
  type Checkout,
  fill,
  otherCheckout,
  type Place,
  startProduct,
  thisCheckout,
  writeSample,
} from '../checkout.ts';
import { type Measured, measure, medianOf, type Target } from '../load/closed-loop.ts';
import type { RequestKind } from '../load/requests.ts';
import { orDash, short, table, whole } from '../report/markdown.ts';
import { describeMachine, keepRecord, loadAverage, readRecord } from '../report/records.ts';
import { type NewPlace, onEngines } from './on-engines.ts';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    'in-flight': { type: 'string', default: '16' },
    engines: { type: 'string', default: 'embedded,postgres' },
    beside: { type: 'string' },
  },
});
const [members, rounds, seconds, inFlight] = [
  values.members,
  values.rounds,
  values.seconds,
  values['in-flight'],
].map(Number) as [number, number, number, number];
const ENGINES = ['embedded', 'postgres'] as const;
const cache = join(thisCheckout.root, '.cache/bench-joins');
const WARM_UP_SECONDS = 1;
/** So that the deliverer has the events of joins when these are measured. */
const WEBHOOK_SETTLES_MS = 2_000;

type Running = Target & { readonly url: string; readonly token: string; stop(): Promise<void> };
type Row = { readonly name: string; readonly runs: readonly Measured[] };

async function start(checkout: Checkout, place: Place): Promise<Running> {
  await fill(checkout, place, members);
  const sampleFile = await writeSample(checkout, place);
  const server = await startProduct(checkout, place, {
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    MAIL_RATE: '10',
  });
  const token = readFileSync(join(place.dataDir, 'operator-token'), 'utf8').trim();
  return { ...server, sampleFile, token };
}

/** Adds a webhook for everything, works beside it and removes it. */
async function besideWebhook<T>(
  { url, token }: Running,
  receiver: string,
  work: () => Promise<T>,
): Promise<T> {
  async function call(path: string, body: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(url + path, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
  const events = ['member.joined', 'member.credited', 'tier.reached', 'member.left'];
  const added = { url: receiver, events, reason: 'measured' };
  const { id } = (await call(operatorPaths.webhooks, added)) as EndpointWithSecret;
  await pause(WEBHOOK_SETTLES_MS);
  const result = await work();
  await call(fillPath(operatorPaths.removeWebhook, id), { reason: 'measured' });
  return result;
}

/** Accepts connections, reads nothing and answers nothing. */
async function openSilentReceiver() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function measureEngine(newPlace: NewPlace): Promise<Row[]> {
  const own = await start(thisCheckout, await newPlace('this'));
  const checkout = values.beside === undefined ? null : otherCheckout(values.beside);
  const other = checkout === null ? null : await start(checkout, await newPlace('other'));
  const silent = await openSilentReceiver();
  const refusing = `http://127.0.0.1:${await freePort()}/hook`;
  const load = { inFlight, seconds, warmUpSeconds: WARM_UP_SECONDS };
  const run = (target: Target, kind: RequestKind) => measure(target, { ...load, kind });
  const ways: Record<string, () => Promise<Measured>> = {
    'without a source': () => run(own, 'join'),
    'with a source': () => run(own, 'join-with-source'),
    'webhook refuses connections': () => besideWebhook(own, refusing, () => run(own, 'join')),
    'webhook never answers': () => besideWebhook(own, silent.url, () => run(own, 'join')),
    ...(other !== null && { [`${checkout?.name}`]: () => run(other, 'join') }),
  };
  const rows = Object.entries(ways).map(([name, way]) => ({ name, way, runs: [] as Measured[] }));
  try {
    await run(own, 'join');
    for (let round = 0; round < rounds; round += 1)
      for (const { way, runs } of round % 2 === 0 ? rows : rows.toReversed())
        runs.push(await way());
  } finally {
    for (const server of [own, other]) await server?.stop();
    silent.close();
  }
  return rows.map(({ name, runs }) => ({ name, runs }));
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
      `npm run bench:joins -- --engines ${name} --members ${members} --rounds ${rounds} ` +
      `--seconds ${seconds} --in-flight ${inFlight}${values.beside ? ' --beside FOLDER' : ''}`,
    figures,
  });
}

function report(name: string): string {
  const kept = readRecord(cache, name);
  if (kept === null) return `## ${name}\n\nNot measured.`;
  const rows = kept.figures as Row[];
  const base = rows[0]?.runs ?? [];
  const cells = rows.map(({ name: way, runs }) => {
    const middle = medianOf(runs);
    const ratios = runs
      .map((one, round) => one.perSecond / (base[round]?.perSecond ?? Number.NaN))
      .toSorted((a, b) => a - b);
    const range = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}`;
    return [
      way,
      whole(middle.perSecond),
      way === rows[0]?.name ? '' : (ratios[Math.floor(ratios.length / 2)] ?? 0).toFixed(2),
      way === rows[0]?.name ? '' : range,
      short(middle.p50Ms),
      short(middle.p99Ms),
      orDash(middle.serverUs, whole),
      orDash(middle.databaseUs, whole),
    ];
  });
  const head = ['joins', 'a second', 'of the first', 'rounds', 'p50 ms', 'p99 ms'];
  return `## ${name}

${kept.at.slice(0, 10)}, ${kept.machine}, load ${short(kept.loadBefore)} before and
${short(kept.loadAfter)} after. Again:
\`${kept.command}\`

${table([...head, 'server µs', 'database µs'], cells)}`;
}

build(thisCheckout);
if (values.beside !== undefined) build(otherCheckout(values.beside));
await onEngines(values.engines.split(','), record, { shared_buffers: '1GB' });
writeFileSync(
  fileURLToPath(new URL('../JOINS.md', import.meta.url)),
  `# Joins and the console

Joins in turns, the order turned round after each round: medians of all rounds, and of the ratios to
the first row in the same round, with the least and the largest of these. Every other join is
invited. A source is one of 20 campaigns. Webhooks are asked for every kind of event. A row with a
commit's name is that commit, on a server and database of its own.

${ENGINES.map(report).join('\n\n')}
`,
);
