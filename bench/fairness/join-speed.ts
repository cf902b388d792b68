/** The speed of joins beside that of another checkout, in turns: what doubting them costs. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Checkout,
  fill,
  type Place,
  type Product,
  startProduct,
  writeSample,
} from '../checkout.ts';
import { type Measured, measure } from '../load/closed-loop.ts';
import { median } from '../statistics.ts';

export type SpeedFigures = {
  readonly members: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly inFlight: number;
  /** The other checkout first. */
  readonly checkouts: readonly {
    readonly name: string;
    readonly perSecond: number;
    readonly serverUs: number | null;
  }[];
  /** Of this one beside the other, in each round. */
  readonly ratios: readonly number[];
};

const MEMBERS = 20_000;
const ROUNDS = 9;
const LOAD = { kind: 'visitor-join', inFlight: 64, warmUpSeconds: 1.5, seconds: 3 } as const;

export async function measureSpeed(
  checkouts: readonly [other: Checkout, own: Checkout],
  { folder, newDatabase }: { folder: string; newDatabase: () => Promise<string | null> },
): Promise<SpeedFigures> {
  const products: (Product & { sampleFile: string; name: string; runs: Measured[] })[] = [];
  for (const checkout of checkouts) {
    const place: Place = { dataDir: join(folder, checkout.name), databaseUrl: await newDatabase() };
    mkdirSync(place.dataDir, { recursive: true, mode: 0o700 });
    await fill(checkout, place, MEMBERS);
    const sampleFile = await writeSample(checkout, place);
    // Mails would go on in the next round, which is the other checkout's.
    const settings = { TRUST_PROXY: '127.0.0.1', MAIL_RATE: '0.1' };
    const product = await startProduct(checkout, place, settings);
    products.push({ ...product, sampleFile, name: checkout.name, runs: [] });
  }
  // One round each to begin with, which does not count.
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const product of round % 2 === 0 ? products : products.toReversed()) {
      const measured = await measure(product, LOAD);
      if (round > 0) product.runs.push(measured);
    }
  for (const product of products) await product.stop();
  const [other, own] = products as [(typeof products)[number], (typeof products)[number]];
  return {
    members: MEMBERS,
    rounds: ROUNDS,
    seconds: LOAD.seconds,
    inFlight: LOAD.inFlight,
    checkouts: products.map(({ name, runs }) => ({
      name,
      perSecond: median(runs.map(({ perSecond }) => perSecond)),
      serverUs: median(runs.map(({ serverUs }) => serverUs ?? Number.NaN)),
    })),
    ratios: own.runs.map(
      ({ perSecond }, round) => perSecond / (other.runs[round]?.perSecond ?? Number.NaN),
    ),
  };
}
