import type { ChangeKind, WantedChange } from '../../contract/operator/changes.ts';
import { type Access, type Actor, assertMay } from '../access/actor.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, inUndoneTransaction, lock, type Transaction } from '../db/transaction.ts';
import { Problem } from '../problem.ts';
import { assertReason } from './audit/assert-reason.ts';
import type { Subject } from './audit/audit-record.ts';
import { recordAudit } from './audit/record-audit.ts';
import { type Applied, type Effects, UNDO_FOR_MS, type Verb, type Verbs } from './change.ts';
import { insertUndo, readEntry, readLastChange, takeUndo } from './changes-store.ts';

/** `seen` is the last change of the same subject, for `applyChange`. */
export type Preview = Effects & { readonly seen: number | null };

export type Made = {
  readonly change: number;
  readonly summary: string;
  readonly undoUntil: Date | null;
};

type By = { readonly actor: Actor; readonly may: ReadonlySet<Access>; readonly reason: string };
type Options = { readonly database: Database; readonly verbs: Verbs };
type Seen = { readonly seen?: number | null };

/** What the change would do, in sentences and counts; nothing is changed. Throws Problem. */
export async function previewChange(
  { database, verbs }: Options,
  wanted: WantedChange,
  { may }: Pick<By, 'may'>,
): Promise<Preview> {
  const verb = verbOf(verbs, wanted.kind);
  assertMayUse(verb, may);
  // It shows addresses.
  assertMay(may, 'read');
  if (verb.preview !== undefined) {
    const { subject = null, ...effects } = await verb.preview(wanted.input);
    const seen = await inTransaction(database, (transaction) => readLast(transaction, subject));
    return { ...effects, seen };
  }
  return await inUndoneTransaction(database, async (transaction) => {
    const { effects, subject } = await applyVerb(transaction, verb, wanted.input);
    return { ...effects, seen: await readLast(transaction, subject) };
  });
}

/**
 * The change, its audit entry and what its undo needs, in one transaction. With `seen` of a
 * preview, refuses when the same member or size was changed since. Throws Problem.
 */
export async function applyChange(
  { database, verbs }: Options,
  { kind, input }: WantedChange,
  { may, ...by }: By & Seen,
): Promise<Made> {
  const verb = verbOf(verbs, kind);
  assertMayUse(verb, may);
  return await applyByVerb(database, { verb, input }, by);
}

/** The same for what the server changes by itself. */
export async function applyByVerb(
  database: Database,
  { verb, input }: { readonly verb: Verb; readonly input: WantedChange['input'] },
  { actor, reason, seen = null }: Pick<By, 'actor' | 'reason'> & Seen,
): Promise<Made> {
  assertReason(reason);
  const planned = await verb.plan?.(input);
  const { applied, made } = await inTransaction(database, async (transaction) => {
    const applied = await applyVerb(transaction, verb, input, planned);
    const { subject, summary, details, undo } = applied;
    if (seen !== null) await assertSeen(transaction, subject, seen);
    const change = await recordAudit(transaction, {
      actor,
      action: verb.kind,
      subject,
      reason,
      details: { summary, ...details },
    });
    const undoUntil = undo === null ? null : new Date(Date.now() + UNDO_FOR_MS);
    if (undo !== null && undoUntil !== null)
      await insertUndo(transaction, { change, subject, data: undo, until: undoUntil });
    return { applied, made: { change, summary, undoUntil } };
  });
  await applied.afterCommit?.();
  return { ...made, summary: (await applied.outcome?.()) ?? made.summary };
}

/**
 * Undoes a change, which is an audit entry of its own. Throws Problem conflict, one sentence, when
 * it is too late, done already, or impossible by now.
 */
export async function undoChange(
  { database, verbs }: Options,
  change: number,
  { actor, may, reason }: By,
): Promise<Made> {
  assertReason(reason);
  const { undone, made } = await inTransaction(database, async (transaction) => {
    const entry = await readEntry(transaction, change);
    if (entry === null) throw new Problem('unknown_path', `There is no change ${change}.`);
    const verb = isKind(verbs, entry.action) ? verbOf(verbs, entry.action) : null;
    if (verb?.undo === undefined) throw new Problem('conflict', `Change ${change} has no undo.`);
    assertMayUse(verb, may);
    if (verb.lock !== null) await lock(transaction, verb.lock);
    const data = await takeUndo(transaction, change);
    if (data === null) throw await explainNoUndo(transaction, change);
    const undone = await verb.undo(transaction, data as never);
    const undoing = await recordAudit(transaction, {
      actor,
      action: 'undo',
      subject: { kind: 'change', id: String(change) },
      reason,
      details: { summary: undone.summary, of: change },
    });
    return { undone, made: { change: undoing, summary: undone.summary, undoUntil: null } };
  });
  await undone.afterCommit?.();
  return { ...made, summary: (await undone.outcome?.()) ?? made.summary };
}

function assertMayUse({ isForOwners }: Verb, may: By['may']): void {
  if (isForOwners) assertMay(may, 'owner');
}

async function applyVerb(
  transaction: Transaction,
  verb: Verb,
  input: WantedChange['input'],
  planned?: unknown,
): Promise<Applied> {
  const prepared = (await verb.prepare?.(transaction, input)) ?? planned;
  if (verb.lock !== null) await lock(transaction, verb.lock);
  return await verb.apply(transaction, input, prepared as never);
}

async function assertSeen(
  transaction: Transaction,
  subject: Subject | null,
  seen: number,
): Promise<void> {
  const last = await readLast(transaction, subject);
  if (last !== null && last > seen)
    throw new Problem(
      'conflict',
      `Change ${last} of the same ${subject?.kind} came in between: look at the preview again.`,
    );
}

async function readLast(transaction: Transaction, subject: Subject | null): Promise<number | null> {
  return subject === null ? null : await readLastChange(transaction, subject);
}

async function explainNoUndo(transaction: Transaction, change: number): Promise<Problem> {
  const entry = await readEntry(transaction, change);
  if (entry?.undone_by)
    return new Problem('conflict', `Change ${change} was undone already, by ${entry.undone_by}.`);
  const isOld = entry !== null && entry.at.getTime() + UNDO_FOR_MS <= Date.now();
  return new Problem(
    'conflict',
    isOld
      ? `Change ${change} was made more than 24 hours ago: it cannot be undone any more.`
      : `Change ${change} cannot be undone: what it needs is deleted, or was never kept.`,
  );
}

function isKind(verbs: Verbs, action: string): action is ChangeKind {
  return Object.hasOwn(verbs, action);
}

/** Kind and input of a `WantedChange` fit each other, which the compiler cannot follow further. */
function verbOf(verbs: Verbs, kind: ChangeKind): Verb {
  return verbs[kind] as Verb;
}
