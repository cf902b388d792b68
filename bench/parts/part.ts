/** What the bench is made of: each part measures, and writes its section of the report. */
import type { Checkout } from '../checkout.ts';
import type { Lines } from '../report/plot.ts';
import type { Target } from '../report/targets.ts';
import type { PostgresSizes } from '../sized-databases.ts';

export type Part<Figures> = {
  readonly name: string;
  measure(bench: Bench): Promise<Figures>;
  /** Markdown. */
  report(figures: Figures): string;
  targets?(figures: Figures): Target[];
  /** By file name, without its ending. */
  plots?(figures: Figures): Readonly<Record<string, Lines>>;
};

type BenchOptions = {
  /** On PostgreSQL. */
  readonly members: number;
  readonly embeddedMembers: number;
  /** In rising order. */
  readonly sizes: readonly number[];
  readonly inFlight: readonly number[];
  readonly seconds: number;
  /** Before each measured run of writes on PostgreSQL; a third of it before all others. */
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly launchPeople: number;
  readonly launchMinutes: number;
  /** Where figures and profiles are kept. */
  readonly cache: string;
};

export type Bench = {
  readonly options: BenchOptions;
  /** This one first, then the one that it is measured beside, if any. */
  readonly checkouts: readonly Checkout[];
  /** For files of this run; removed with it. */
  readonly folder: string;
  /** One PostgreSQL for all parts, started when first asked for. */
  postgres(): Promise<PostgresSizes>;
  readonly log: (line: string) => void;
};

/** The number of requests in flight that targets are about. */
export const TARGET_IN_FLIGHT = 64;
