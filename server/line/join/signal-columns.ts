import type { SignalColumns } from './join-store.ts';

/** Names of the rules that matched, and their points together. */
export type FraudSignals = { readonly rules: readonly string[]; readonly score: number };

/** Spellings of the joining mailbox, as a regular expression, and the weight of a match. */
export type OwnMailbox = { readonly spellings: string; readonly weight: number };

export type Assessment = {
  readonly signals: FraudSignals | null;
  /** Compares the mailbox of a referrer whose join is not remembered. */
  readonly ownMailbox: OwnMailbox | null;
};

/** A score of at least `holdThreshold` holds the credit. */
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
