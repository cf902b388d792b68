import type { Checkout, Place } from './checkout.ts';
import type { Engine } from './places.ts';
import type { Target } from './report/targets.ts';

/** Defaults of command line options by name: `warmUp` is `--warm-up 5`. */
export type PartOptions = Readonly<Record<string, number | readonly number[] | readonly string[]>>;

export type Part<Options extends PartOptions = PartOptions, Figures = unknown> = {
  /** `--only` selects it by this name, or by what precedes a hyphen of it. */
  readonly name: string;
  readonly writes: string;
  readonly options: Options;
  readonly isGate?: true;
  measure(bench: Bench<Options>): Promise<Figures>;
  targets?(figures: Figures): Target[];
  describe(figures: Figures, options: Options): string;
};

export function definePart<Options extends PartOptions, Figures>(part: Part<Options, Figures>) {
  return part;
}

type Bench<Options> = {
  readonly options: Options;
  /** This checkout first, then the one of `--beside`. */
  readonly checkouts: readonly Checkout[];
  newPlace(engine: Engine): Promise<Place>;
  readonly log: (line: string) => void;
};

export const TARGET_IN_FLIGHT = 64;
