/** A operation of the operator: one thing that can be previewed, done, logged and undone. */
import type { ChangeInput, ChangeKind } from '../../contract/operator/changes.ts';
import type { Lock, Transaction } from '../db/transaction.ts';
import type { Subject } from './audit/audit-record.ts';

/** What would change, in the present tense. May name addresses: it is shown, and kept nowhere. */
export type Effects = {
  sentences: string[];
  counts: Record<string, number>;
};

export type Applied = {
  readonly effects: Effects;
  /** In the past tense, without addresses, as in the audit log. */
  readonly summary: string;
  /** Null for none or many. */
  readonly subject: Subject | null;
  /** For the audit log: no addresses. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What `undo` needs, as JSON: it may have addresses, and is deleted after a day. */
  readonly undo: object | null;
  /** What only a committed change may do. Its failure does not undo the change. */
  afterCommit?(): Promise<void>;
  /** Work that follows in transactions of its own; returns the summary to answer with. */
  outcome?(): Promise<string>;
};

type Undone = Pick<Applied, 'summary' | 'afterCommit' | 'outcome'>;

/** How long a change can be undone. */
export const UNDO_FOR_MS = 24 * 3600 * 1000;

export type Operation<Kind extends ChangeKind = ChangeKind> = {
  readonly kind: Kind;
  /** Of an owner, also by preview and undo. Others are for all who may write. */
  readonly isForOwners?: true;
  /** Taken before `apply` and `undo`. */
  readonly lock: Lock | null;
  /**
   * Reads before the transaction what takes long: on the embedded engine, others wait for the end
   * of every transaction. The line may change until `apply` has the lock.
   */
  plan?(input: ChangeInput<Kind>): Promise<unknown>;
  /** Work that need not keep others waiting: runs in the transaction, before the lock. */
  prepare?(transaction: Transaction, input: ChangeInput<Kind>): Promise<unknown>;
  /** `prepared` is what `plan` or `prepare` returned. Throws Problem, one sentence. */
  apply(transaction: Transaction, input: ChangeInput<Kind>, prepared: never): Promise<Applied>;
  /** Where applying and rolling back would keep others waiting: reads only, without the lock. */
  preview?(input: ChangeInput<Kind>): Promise<Effects & Partial<Pick<Applied, 'subject'>>>;
  /** `data` is the `undo` that `apply` returned. Throws Problem when it is no longer possible. */
  undo?(transaction: Transaction, data: never): Promise<Undone>;
};

/** A operation for each kind. */
export type Operations = { readonly [Kind in ChangeKind]: Operation<Kind> };
