/** The bench is made of parts: each measures, and writes one section of a report. */
import type { Checkout, Place } from './checkout.ts';
import type { Engine } from './places.ts';
import type { Target } from './report/targets.ts';

/** Defaults of command line options by name: `inFlight` is `--in-flight 1,16`. */
export type PartOptions = Readonly<Record<string, number | readonly number[] | readonly string[]>>;

export type Report = {
  readonly file: string;
  /** Title and method in Markdown. */
  readonly head: string;
};

export type Part<Options extends PartOptions = PartOptions, Figures = unknown> = {
  /** `--only` selects it by this name, or by what precedes a hyphen of it. */
  readonly name: string;
  readonly writes: Report;
  readonly options: Options;
  /** A missed target fails the run. */
  readonly isGate?: true;
  measure(bench: Bench<Options>): Promise<Figures>;
  targets?(figures: Figures): Target[];
  /** Section of the report in Markdown. */
  describe(figures: Figures, options: Options): string;
};

export type Bench<Options> = {
  readonly options: Options;
  /** This checkout first, then the one of `--beside`. */
  readonly checkouts: readonly Checkout[];
  /** Makes an empty data folder and database, which are removed after the part. */
  newPlace(engine: Engine): Promise<Place>;
  readonly log: (line: string) => void;
};

/** The number of requests in flight that targets are about. */
export const TARGET_IN_FLIGHT = 64;
