import type { ChangeInput, ChangeKind } from '../../contract/operator/changes.ts';
import type { Lock, Transaction } from '../db/transaction.ts';
import type { Subject } from './audit/audit-store.ts';

/** Sentences in the present tense, which may name addresses: they are shown, and kept nowhere. */
export type Effects = {
  readonly sentences: readonly string[];
  readonly counts?: Readonly<Record<string, number>>;
  /** Sentences about the days that follow, after what the change does at once. */
  readonly days?: readonly string[];
};

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
  /** What has come of the change when it is answered, for the summary of the answer. */
  outcome?(): Promise<string>;
};

type Undone = Pick<Applied, 'summary' | 'afterCommit' | 'outcome'>;

/** Items of a long change that one transaction changes. */
export type Part = {
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

export type Operation<Kind extends ChangeKind = ChangeKind> = {
  readonly isForOwners?: true;
  readonly lock: Lock | null;
  /** The preview begins with why mail does not leave, if so. */
  readonly isMailing?: true;
  /** Runs before the change, and not before a preview. Writes what a repetition writes again. */
  before?(input: ChangeInput<Kind>): Promise<void>;
  /** Reads before the transaction, whose end all callers of the embedded engine wait for. */
  plan?(input: ChangeInput<Kind>): Promise<unknown>;
  prepare?(transaction: Transaction, input: ChangeInput<Kind>): Promise<unknown>;
  apply(transaction: Transaction, input: ChangeInput<Kind>, prepared: never): Promise<Applied>;
  /** A preview that only reads, for a change too large to apply and roll back. */
  preview?(input: ChangeInput<Kind>): Promise<Effects & Partial<Pick<Applied, 'subject'>>>;
  undo?(transaction: Transaction, data: never): Promise<Undone>;
  /** Refuses as `undo` does, without its writes: for one that holds its lock for long. */
  assertUndo?(transaction: Transaction, data: never): Promise<void>;
  /** For a change that would hold its lock for too long in one transaction. */
  readonly long?: {
    /** If true, parts make the change: `apply` and `undo` write nothing, and take no lock. */
    isLong(plannedOrData: never): boolean;
    open(data: never, isUndo: boolean): LongWork;
  };
};

export type Operations = { readonly [Kind in ChangeKind]: Operation<Kind> };
