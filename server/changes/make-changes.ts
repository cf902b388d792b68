import type {
  ChangeKind,
  ChangePreview,
  MadeChange,
  WantedChange,
} from '../../contract/operator/changes.ts';
import { type Access, type Actor, assertMay } from '../access/actor.ts';
import type { Database } from '../db/database.ts';
import { inTransaction, inUndoneTransaction, lock, type Transaction } from '../db/transaction.ts';
import { Problem } from '../problem.ts';
import type { Subject } from './audit/audit-store.ts';
import { assertReason, recordAudit } from './audit/record-audit.ts';
import { insertUndo, readEntry, readLastChange, takeUndo } from './changes-store.ts';
import { type Applied, type Operation, type Operations, UNDO_FOR_MS } from './operation.ts';

type By = { readonly actor: Actor; readonly may: ReadonlySet<Access>; readonly reason: string };
type Options = { readonly database: Database; readonly operations: Operations };
type Seen = { readonly seen?: number | null };

export async function previewChange(
  { database, operations }: Options,
  wanted: WantedChange,
  { may }: Pick<By, 'may'>,
): Promise<ChangePreview> {
  const operation = operationOf(operations, wanted.kind);
  assertMayUse(operation, may);
  assertMay(may, 'read');
  if (operation.preview !== undefined) {
    const { subject = null, sentences, counts } = await operation.preview(wanted.input);
    const seen = await inTransaction(database, (transaction) =>
      readLastChange(transaction, subject),
    );
    return { sentences, counts, seen };
  }
  return await inUndoneTransaction(database, async (transaction) => {
    const { effects, subject } = await runOperation(transaction, operation, wanted.input);
    const { day, sentences, counts } = effects;
    return {
      sentences: [...sentences, ...(day?.sentences ?? [])],
      counts,
      ...(day && { timeline: day.timeline }),
      seen: await readLastChange(transaction, subject),
    };
  });
}

/**
 * Makes the change with its audit entry and undo, in one transaction. With `seen` of a preview,
 * refuses when the same member or size was changed since. Throws Problem.
 */
export async function applyChange(
  { database, operations }: Options,
  { kind, input }: WantedChange,
  { may, ...by }: By & Seen,
): Promise<MadeChange> {
  const operation = operationOf(operations, kind);
  assertMayUse(operation, may);
  return await applyOperation(database, { operation, input }, by);
}

/** Checks no access, because the server makes changes, too. */
export async function applyOperation(
  database: Database,
  { operation, input }: { readonly operation: Operation; readonly input: WantedChange['input'] },
  { actor, reason, seen = null }: Pick<By, 'actor' | 'reason'> & Seen,
): Promise<MadeChange> {
  assertReason(reason);
  const planned = await operation.plan?.(input);
  const { applied, made } = await inTransaction(database, async (transaction) => {
    const applied = await runOperation(transaction, operation, input, planned);
    const { subject, summary, details, undo } = applied;
    if (seen !== null) await assertSeen(transaction, subject, seen);
    const change = await recordAudit(transaction, {
      actor,
      action: operation.kind,
      subject,
      reason,
      details: { summary, ...details },
    });
    const undoUntil = undo === null ? null : new Date(Date.now() + UNDO_FOR_MS);
    if (undo !== null && undoUntil !== null)
      await insertUndo(transaction, { change, subject, data: undo, until: undoUntil });
    return { applied, made: { change, summary, undo_until: undoUntil?.toISOString() ?? null } };
  });
  await applied.afterCommit?.();
  return { ...made, summary: (await applied.outcome?.()) ?? made.summary };
}

/**
 * Undoes a change, with an audit entry of its own. Throws Problem conflict, one sentence, when it
 * is too late, done already, or no longer possible.
 */
export async function undoChange(
  { database, operations }: Options,
  change: number,
  { actor, may, reason }: By,
): Promise<MadeChange> {
  assertReason(reason);
  const { undone, made } = await inTransaction(database, async (transaction) => {
    const entry = await readEntry(transaction, change);
    if (entry === null) throw new Problem('unknown_path', `There is no change ${change}.`);
    const isChange = Object.hasOwn(operations, entry.action);
    const operation = isChange ? operationOf(operations, entry.action as ChangeKind) : null;
    if (!operation?.undo) throw new Problem('conflict', `Change ${change} has no undo.`);
    assertMayUse(operation, may);
    if (operation.lock !== null) await lock(transaction, operation.lock);
    const data = await takeUndo(transaction, change);
    if (data === null) throw await explainNoUndo(transaction, change);
    const undone = await operation.undo(transaction, data as never);
    const undoing = await recordAudit(transaction, {
      actor,
      action: 'undo',
      subject: { kind: 'change', id: String(change) },
      reason,
      details: { summary: undone.summary, of: change },
    });
    return { undone, made: { change: undoing, summary: undone.summary, undo_until: null } };
  });
  await undone.afterCommit?.();
  return { ...made, summary: (await undone.outcome?.()) ?? made.summary };
}

function assertMayUse({ isForOwners }: Operation, may: By['may']): void {
  if (isForOwners) assertMay(may, 'owner');
}

async function runOperation(
  transaction: Transaction,
  operation: Operation,
  input: WantedChange['input'],
  planned?: unknown,
): Promise<Applied> {
  const prepared = (await operation.prepare?.(transaction, input)) ?? planned;
  if (operation.lock !== null) await lock(transaction, operation.lock);
  return await operation.apply(transaction, input, prepared as never);
}

async function assertSeen(
  transaction: Transaction,
  subject: Subject | null,
  seen: number,
): Promise<void> {
  const last = await readLastChange(transaction, subject);
  if (last !== null && last > seen)
    throw new Problem(
      'conflict',
      `Change ${last} of the same ${subject?.kind} came in between: look at the preview again.`,
    );
}

async function explainNoUndo(transaction: Transaction, change: number): Promise<Problem> {
  const entry = await readEntry(transaction, change);
  if (entry?.undone_by)
    return new Problem('conflict', `Change ${change} was undone already, by ${entry.undone_by}.`);
  const isOld = entry !== null && Date.parse(entry.at) + UNDO_FOR_MS <= Date.now();
  return new Problem(
    'conflict',
    isOld
      ? `Change ${change} was made more than 24 hours ago: it cannot be undone any more.`
      : `Change ${change} cannot be undone: what it needs is deleted, or was never kept.`,
  );
}

/** Kind and input of a `WantedChange` fit each other, which the compiler cannot follow further. */
function operationOf(operations: Operations, kind: ChangeKind): Operation {
  return operations[kind] as Operation;
}
