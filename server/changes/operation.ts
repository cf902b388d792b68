import type { ChangeInput, ChangeKind } from '../../contract/operator/changes.ts';
import type { Subject } from '../access/audit/audit-store.ts';
import type { Lock, Transaction } from '../db/transaction.ts';

/** Sentences in the present tense, which may name addresses: they are shown, and kept nowhere. */
export type Effects = {
  readonly sentences: readonly string[];
  readonly counts?: Readonly<Record<string, number>>;
  /** Sentences about the days that follow, after what the change does at once. */
  readonly days?: readonly string[];
};

type Plan = Effects & Partial<Pick<Applied, 'subject'>>;

export type Applied = Partial<Effects> & {
  /** A sentence in the past tense, without addresses, for the audit log. */
  readonly summary: string;
  readonly subject: Subject | null;
  readonly details?: Readonly<Record<string, unknown>>;
  /** JSON for `undo`, deleted after a day, which may have addresses. */
  readonly undo?: object | null;
  /** A text that it returns is the summary of the answer: what has come of the change by then. */
  afterCommit?(): Promise<unknown>;
};

type Undone = Pick<Applied, 'summary' | 'afterCommit'>;

/** Items of a long change that one transaction changes. */
type Part = {
  /** Where the next part begins, also on another server. */
  readonly last: string;
  /** Returns how many items it has changed. */
  make(transaction: Transaction): Promise<number>;
};

/**
 * Called before a change, and what it returns after it, in the same transaction. Postpones mails
 * that an undo would make untrue, and describes all.
 */
export type MailWatch = (
  transaction: Transaction,
  change: { readonly movesLine: boolean },
) => Promise<(made: { readonly hasUndo: boolean }) => Promise<readonly string[]>>;

export const UNDO_FOR_MS = 24 * 3600 * 1000;

export type LongWork = {
  /** The part that follows the item. Null when none is left. */
  partAfter(last: string | null): Part | null;
  summarize(done: number): string;
};

/** What an operator can do: what it needs, what it would do, how it is made, and undone. */
export type Operation<Kind extends ChangeKind = ChangeKind> = {
  readonly isForOwners?: true;
  readonly lock: Lock | null;
  /** The preview begins with why mail does not leave, if so. */
  readonly isMailing?: true;
  /**
   * Reads before the transaction, whose end all callers of the embedded engine wait for. Except for
   * a preview it may write what a repetition writes again.
   */
  read?(input: ChangeInput<Kind>, isPreview: boolean): Promise<unknown>;
  /** A preview that only reads. Without it, `apply` is tried and rolled back. */
  plan?(input: ChangeInput<Kind>, read: never): Promise<Plan>;
  apply(
    transaction: Transaction,
    input: ChangeInput<Kind>,
    read: never,
    isPreview?: boolean,
  ): Promise<Applied>;
  /** A list of changes tries it, and rolls it back. */
  undo?(transaction: Transaction, data: never, isTried?: boolean): Promise<Undone>;
  /** When tried, the undo only reads, and takes no lock that joins would wait for. */
  readonly triesUndoUnlocked?: true;
  /** Deletes rows in the transaction for which the lock would be held too long. */
  beforeLock?(transaction: Transaction, read: never): Promise<void>;
  /** For a change that would hold its lock for too long in one transaction. */
  readonly long?: {
    /** If true, parts make the change: `apply` and `undo` write nothing, and take no lock. */
    isLong(readOrData: never): boolean;
    open(data: never, isUndo: boolean): LongWork;
  };
};

export type Operations = { readonly [Kind in ChangeKind]: Operation<Kind> };
