import type { Checkout, Place } from './checkout.ts';
import type { Engine } from './places.ts';
import type { Target } from './report/targets.ts';

/** The options of parts, for the help of the command line: `warmUp` is `--warm-up`. */
export const MEANINGS = {
  members: 'How many members are in line before anything is measured.',
  sizes: 'The lengths of the line that are compared.',
  seconds: 'How many seconds each measurement takes.',
  warmUp: 'How many seconds of the same load come first: a third of it before reads, or embedded.',
  rounds: 'How often it is measured.',
  pages: 'How many status pages are open.',
  crowd: 'How many members accept within a second.',
  connections: 'How many connections the crowd has.',
  seeds: 'A name for each line that is played: another name makes up other people.',
  routes: 'The pages that are visited, in this order.',
} as const;

/** Defaults of a part's options. */
export type PartOptions = Readonly<
  Partial<Record<keyof typeof MEANINGS, number | readonly number[] | readonly string[]>>
>;

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
