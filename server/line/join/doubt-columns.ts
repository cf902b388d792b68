import type { DoubtColumns } from './join-store.ts';

/** The names of the rules that matched, and the sum of their points: a whole number. */
export type Doubt = { readonly rules: readonly string[]; readonly score: number };

/** The spellings of the mailbox that joins, as a regular expression, and what it weighs. */
export type OwnMailbox = { readonly spellings: string; readonly weight: number };

/** What speaks against a credit; null: nothing. */
export type Doubted = {
  readonly doubt: Doubt | null;
  /** When nothing is remembered of the referrer: how to tell that they have the same mailbox. */
  readonly ownMailbox: OwnMailbox | null;
};

/** A doubt with at least `holdThreshold` holds the credit. */
export function doubtColumns({ doubt, ownMailbox }: Doubted, holdThreshold: number): DoubtColumns {
  const ownScore = (doubt?.score ?? 0) + (ownMailbox?.weight ?? 0);
  return {
    ...(doubt && { ...doubt, holds: doubt.score >= holdThreshold }),
    ...(ownMailbox && {
      own_spellings: ownMailbox.spellings,
      own_score: ownScore,
      own_holds: ownScore >= holdThreshold,
    }),
  };
}
