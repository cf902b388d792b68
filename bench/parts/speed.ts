/** The product beside its floors on one engine, in turns, at each number of requests in flight. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiPaths } from '../../contract/paths.ts';
import { startServer } from '../../test/support/server-process.ts';
import { type FloorProcess, type Place, startFloor } from '../floor-process.ts';
import { type Measured, measure, medianOf } from '../load/measure.ts';
import { findPostmaster, type ProcessorWatch, watchProcessors } from '../load/processor-time.ts';
import { EMPTY_SAMPLE, type RequestKind, type Sample } from '../load/request-bytes.ts';
import { writeSample } from '../members/read-sample.ts';
import { type Filled, generate } from '../sized-databases.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { type Bench, TARGET_IN_FLIGHT } from './part.ts';

export type Cell = Measured & { readonly operation: Operation; readonly inFlight: number };

export type SpeedFigures = {
  readonly engine: string;
  readonly members: number;
  /** Of a status read's answer, and of each of the floors'. */
  readonly answerBytes: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly cells: readonly Cell[];
};

/** Rounds at other numbers in flight than the targets': enough for a curve. */
const CURVE_ROUNDS = 2;

/** On the embedded engine, with `embeddedMembers`. */
export async function benchEmbedded(bench: Bench): Promise<SpeedFigures> {
  const place = { dataDir: join(bench.folder, 'embedded'), databaseUrl: null };
  const filled = await generate(place, bench.options.embeddedMembers);
  return await benchEngine(bench, 'embedded', filled, {
    dataDir: join(bench.folder, 'embedded-floor'),
    databaseUrl: null,
  });
}

/** On PostgreSQL, with `members`. */
export async function benchPostgres(bench: Bench): Promise<SpeedFigures> {
  const postgres = await bench.postgres();
  const [product, floor] = [await postgres.copyOf(bench.options.members), await postgres.createEmpty('floor')];
  const figures = await benchEngine(bench, postgres.description, product, floor);
  await postgres.drop(product);
  await postgres.drop(floor);
  return figures;
}

async function benchEngine(bench: Bench, engine: string, product: Filled, floorPlace: Place): Promise<SpeedFigures> {
  const { members } = product;
  const { seconds, rounds } = bench.options;
  const sampleFile = await writeSample(product);
  const server = await startServer(settingsOf(product));
  const answerBytes = await readAnswerBytes(server.url, sampleFile);
  const floor = await startFloor(floorPlace, { rows: members, bytes: answerBytes });
  const postmaster = product.databaseUrl === null ? null : await findPostmaster(product.databaseUrl);
  const take = openTurns({
    floor,
    floorSampleFile: writeFloorSample(floorPlace, floor),
    floorWatch: watchProcessors({ pid: floor.pid, postmaster }),
    port: Number(new URL(server.url).port),
    sampleFile,
    watch: watchProcessors({ pid: server.pid, postmaster }),
  });

  const cells: Cell[] = [];
  for (const operation of OPERATIONS) await take(operation, TARGET_IN_FLIGHT, seconds); // warms both up
  for (const inFlight of bench.options.inFlight) {
    const runs = new Map<Operation, Measured[]>(OPERATIONS.map((operation) => [operation, []]));
    const isTarget = inFlight === TARGET_IN_FLIGHT;
    for (let round = 0; round < (isTarget ? rounds : Math.min(rounds, CURVE_ROUNDS)); round += 1)
      for (const operation of OPERATIONS) runs.get(operation)?.push(await take(operation, inFlight, seconds));
    cells.push(...OPERATIONS.map((operation) => ({ operation, inFlight, ...medianOf(runs.get(operation) ?? []) })));
    bench.log(`${engine}: ${inFlight} in flight measured`);
  }
  await server.stop();
  await floor.stop();
  return { engine, members, answerBytes, seconds, rounds, cells };
}

/** As the product is started by who gives it nothing but a database: limits on, mail queued and kept as files. */
export function settingsOf(place: Place): Record<string, string> {
  return {
    DATA_DIR: place.dataDir,
    LOG_LEVEL: 'error',
    ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
  };
}

/** The floor's ids as a sample like the product's; answers the file. */
export function writeFloorSample(place: Place, { ids }: FloorProcess): string {
  const path = join(place.dataDir, 'floor-sample.json');
  writeFileSync(path, JSON.stringify({ ...EMPTY_SAMPLE, ids } satisfies Sample));
  return path;
}

/** Length of the answer to a status read. */
export async function readAnswerBytes(url: string, sampleFile: string): Promise<number> {
  const { ids } = JSON.parse(readFileSync(sampleFile, 'utf8')) as Sample;
  const answer = await fetch(url + apiPaths.status(ids[0] ?? ''));
  if (!answer.ok) throw new Error(`A status read was answered ${answer.status}.`);
  return (await answer.arrayBuffer()).byteLength;
}

type Turns = {
  readonly floor: FloorProcess;
  readonly floorSampleFile: string;
  readonly floorWatch: ProcessorWatch;
  readonly port: number;
  readonly sampleFile: string;
  readonly watch: ProcessorWatch;
};

function openTurns({ floor, floorSampleFile, floorWatch, port, sampleFile, watch }: Turns) {
  type Take = (inFlight: number, seconds: number) => Promise<Measured>;
  const ofFloor =
    (kind: RequestKind): Take =>
    (inFlight, seconds) =>
      measure({ kind, port: floor.port, inFlight, seconds, sampleFile: floorSampleFile }, floorWatch);
  const ofProduct =
    (kind: RequestKind): Take =>
    (inFlight, seconds) =>
      measure({ kind, port, inFlight, seconds, sampleFile }, watch);
  const takes: Record<Operation, Take> = {
    'constant route': ofFloor('constant'),
    'bare SELECT route': ofFloor('select'),
    'bare INSERT route': ofFloor('insert'),
    'many-row INSERT': (inFlight, seconds) => floor.insertMany(inFlight, seconds, floorWatch),
    'status read': ofProduct('status'),
    join: ofProduct('join'),
    'join, one hot inviter': ofProduct('hot-join'),
    stats: ofProduct('stats'),
    'verify-referral': ofProduct('verify-referral'),
  };
  return (operation: Operation, inFlight: number, seconds: number) => takes[operation](inFlight, seconds);
}
