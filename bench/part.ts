import type { Checkout } from './checkout.ts';
import type { Engine, Place } from './places.ts';
import type { Target } from './report/report.ts';

/** The options of parts, for the help of the command line. */
export const MEANINGS = {
  members: 'How many members are in line before anything is measured.',
  sizes: 'The lengths of the line that are compared.',
  seconds: 'How many seconds each measurement takes.',
  'warm-up':
    'How many seconds the same load runs before writes on PostgreSQL; else a third of that.',
  rounds: 'How often it is measured.',
  pages: 'How many status pages are open.',
  crowd: 'How many members accept within a second.',
  connections: 'How many connections the crowd has.',
  seeds: 'Names of the lines that are played: another name makes up other people.',
} as const;

/** Usual values of a part's options. */
export type PartOptions = Readonly<
  Partial<Record<keyof typeof MEANINGS, number | readonly string[]>>
>;

export type Part<Options extends PartOptions = PartOptions> = {
  /** `--only` selects it by this name, or by what precedes a hyphen of it. */
  readonly name: string;
  readonly writes: string;
  readonly options: Options;
  /** A missed target is an error. */
  readonly isGate?: true;
  measure(bench: Bench<Options>): Promise<Findings>;
};

/** Tables for the report, below the heading that they replace those of. */
type Findings = { readonly section: string; readonly targets?: readonly Target[] };

type Bench<Options> = {
  readonly options: Options;
  /** This checkout first, then the one of `--beside`. */
  readonly checkouts: readonly Checkout[];
  newPlace(engine: Engine): Promise<Place>;
  readonly log: (line: string) => void;
};

export function definePart<Options extends PartOptions>(part: Part<Options>): Part {
  return part as Part;
}
