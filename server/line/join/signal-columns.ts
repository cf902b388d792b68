import type { SignalColumns } from './join-store.ts';

/** The names of the rules that matched, and the sum of their points: a whole number. */
export type FraudSignals = { readonly rules: readonly string[]; readonly score: number };

/** The spellings of the mailbox that joins, as a regular expression, and what it weighs. */
export type OwnMailbox = { readonly spellings: string; readonly weight: number };

/** What speaks against a credit; null: nothing. */
export type Assessment = {
  readonly signals: FraudSignals | null;
  /** When nothing is remembered of the referrer: how to tell that they have the same mailbox. */
  readonly ownMailbox: OwnMailbox | null;
};

/** A fraud signals with at least `holdThreshold` holds the credit. */
export function signalColumns(
  { signals, ownMailbox }: Assessment,
  holdThreshold: number,
): SignalColumns {
  const ownScore = (signals?.score ?? 0) + (ownMailbox?.weight ?? 0);
  return {
    ...(signals && { ...signals, holds: signals.score >= holdThreshold }),
    ...(ownMailbox && {
      own_spellings: ownMailbox.spellings,
      own_score: ownScore,
      own_holds: ownScore >= holdThreshold,
    }),
  };
}
