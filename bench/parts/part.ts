/** What every part of the bench is given. */
import type { PostgresSizes } from '../sized-databases.ts';

type BenchOptions = {
  /** On PostgreSQL. */
  readonly members: number;
  readonly embeddedMembers: number;
  /** In rising order. */
  readonly sizes: readonly number[];
  readonly inFlight: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly launchPeople: number;
  readonly launchMinutes: number;
};

export type Bench = {
  readonly options: BenchOptions;
  /** For files of this run; goes with it. */
  readonly folder: string;
  /** One PostgreSQL for all parts, started when first asked for. */
  postgres(): Promise<PostgresSizes>;
  readonly log: (line: string) => void;
};

/** The number of requests in flight that targets are about. */
export const TARGET_IN_FLIGHT = 64;
