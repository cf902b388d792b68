import type { Checkout } from './checkout.ts';
import type { Engine, Place } from './places.ts';
import type { Target } from './report/report.ts';

export type Part = {
  /** `--only` selects it by this name, or by what precedes a hyphen of it. */
  readonly name: string;
  readonly writes: string;
  /** How much is measured, for the report. */
  readonly scale: Readonly<Record<string, number | string>>;
  /** A missed target is an error. */
  readonly isGate?: true;
  measure(bench: Bench): Promise<Findings>;
};

/** Tables for the report, below the heading that they replace those of. */
type Findings = { readonly section: string; readonly targets?: readonly Target[] };

type Bench = {
  /** This checkout first, then the one of `--beside`. */
  readonly checkouts: readonly Checkout[];
  newPlace(engine: Engine): Promise<Place>;
  readonly log: (line: string) => void;
};
