import type { ChangeInput, ChangeKind } from '../../contract/operator/changes.ts';
import type { Timeline } from '../../contract/operator/timeline.ts';
import type { Lock, Transaction } from '../db/transaction.ts';
import type { Subject } from './audit/audit-store.ts';

/** Sentences in the present tense, which may name addresses: they are shown, and kept nowhere. */
export type Effects = {
  readonly sentences: readonly string[];
  readonly counts?: Readonly<Record<string, number>>;
  /** Follows the other sentences, and is drawn. */
  readonly day?: { readonly sentences: readonly string[]; readonly timeline: Timeline } | null;
};

/** What an operation did. Its effects are for the preview, unless `preview` says them. */
export type Applied = Partial<Effects> & {
  /** A sentence in the past tense, without addresses, for the audit log. */
  readonly summary: string;
  readonly subject: Subject | null;
  readonly details?: Readonly<Record<string, unknown>>;
  /** JSON for `undo`, deleted after a day, which may have addresses. */
  readonly undo?: object | null;
  /** Sentences of a preview that take long to read. Called within the transaction. */
  describeMore?(): Promise<readonly string[]>;
  afterCommit?(): Promise<void>;
  /** Continues in transactions of its own, and returns the summary to answer with. */
  outcome?(): Promise<string>;
};

type Undone = Pick<Applied, 'summary' | 'afterCommit' | 'outcome'>;

export type InPart = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T | null>;

export const UNDO_FOR_MS = 24 * 3600 * 1000;

export type Operation<Kind extends ChangeKind = ChangeKind> = {
  readonly isForOwners?: true;
  readonly lock: Lock | null;
  /** Runs before the change, and not before a preview. Writes what a repetition writes again. */
  before?(input: ChangeInput<Kind>): Promise<void>;
  /**
   * Reads before the transaction: on the embedded engine all callers wait for its end. The line may
   * change until `apply` has the lock.
   */
  plan?(input: ChangeInput<Kind>): Promise<unknown>;
  prepare?(transaction: Transaction, input: ChangeInput<Kind>): Promise<unknown>;
  apply(transaction: Transaction, input: ChangeInput<Kind>, prepared: never): Promise<Applied>;
  /** A preview that only reads, for a change too large to apply and roll back. */
  preview?(input: ChangeInput<Kind>): Promise<Effects & Partial<Pick<Applied, 'subject'>>>;
  undo?(transaction: Transaction, data: never): Promise<Undone>;
  /** For a change that would hold its lock for too long in one transaction. */
  readonly long?: {
    /**
     * Says of what `plan` returned, or of the data of an undo, that `goOn` makes the change: then
     * `apply` and `undo` write nothing, and no lock is taken for them.
     */
    isLong(plannedOrData: never): boolean;
    /**
     * Makes or undoes the change after the transaction with the audit entry, and returns the
     * summary to answer with; null once `inPart` does, which works in a transaction with the lock.
     * A server that finds the change unfinished calls this again: it must not repeat what is done.
     */
    goOn(data: never, how: { isUndo: boolean; inPart: InPart }): Promise<string | null>;
  };
};

export type Operations = { readonly [Kind in ChangeKind]: Operation<Kind> };
