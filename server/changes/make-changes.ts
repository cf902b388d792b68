import type { Access } from '../../contract/operator/calls/call.ts';
import type {
  AuditPage,
  ChangeKind,
  ChangePreview,
  MadeChange,
  WantedChange,
} from '../../contract/operator/changes.ts';
import { type Actor, assertMay } from '../access/actor.ts';
import type { Subject } from '../access/audit/audit-store.ts';
import { assertReason, recordAudit } from '../access/audit/record-audit.ts';
import { letOthersIn, partsOf } from '../db/scheduled-work.ts';
import {
  inRetriedTransaction,
  inUndoneTransaction,
  lock,
  type Transaction,
} from '../db/transaction.ts';
import { readMailProblem } from '../mail/delivery/mail-stop-store.ts';
import type { Platform } from '../module.ts';
import { conflict, Problem } from '../problem.ts';
import {
  insertUndo,
  listAudit,
  readEntry,
  readLastChange,
  readUndo,
  takeUndo,
} from './changes-store.ts';
import { beginning, type LongChanges } from './long-changes.ts';
import {
  type Applied,
  type Effects,
  type MailWatch,
  type Operation,
  type Operations,
  UNDO_FOR_MS,
} from './operation.ts';

type By = { readonly actor: Actor; readonly may: ReadonlySet<Access>; readonly reason: string };
type ApplyOptions = Pick<Platform, 'database'> & {
  readonly watchMails?: MailWatch;
  /** Changes that the server makes are never long. */
  readonly longChanges?: LongChanges;
};
export type ChangeOptions = ApplyOptions &
  Pick<Platform, 'config'> & { readonly operations: Operations };
type Seen = { readonly seen?: number | null };
/** `long` is the number of a long change, which goes on after its commit. */
type Answering = { readonly made: MadeChange; readonly long: number | null };

/** With more in a preview that only reads, the change is not tried for the mails that it sends. */
const MAX_TRIED = 1_000;
/** Undos that are tried before others are let in: each takes up to 10 ms. */
const TRIED_AT_ONCE = 4;
const MAILS_OF_MANY =
  'Members whom this takes into the top of the line, or to a new tier, are mailed in an hour, ' +
  'unless this is undone before.';

export async function previewChange(
  options: ChangeOptions,
  wanted: WantedChange,
  { may }: Pick<By, 'may'>,
): Promise<ChangePreview> {
  const { config, database, operations } = options;
  const operation = operationOf(operations, wanted.kind);
  assertMayUse(operation, may);
  assertMay(may, 'read');
  const problem = await readMailProblem(config, database);
  const { input } = wanted;
  const read = await operation.read?.(input, true);
  const planned = await operation.plan?.(input, read as never);
  return await inUndoneTransaction(database, async (transaction) => {
    const tried = mayTry(operation, read, planned?.counts)
      ? await runOperation(transaction, options, operation, { input, read, isPreview: true })
      : null;
    const mails = tried?.mails ?? (operation.lock === 'line' ? [MAILS_OF_MANY] : []);
    const isMailing = operation.isMailing || mails.length > 0;
    const warnings = problem !== null && isMailing ? [problem] : [];
    const effects = { ...tried?.applied, ...planned };
    const { subject = null, sentences = [], days = [], counts = {} } = effects;
    return {
      sentences: [...warnings, ...sentences, ...mails, ...days],
      counts,
      seen: await readLastChange(transaction, subject),
      can_undo: (tried === null ? operation.undo : tried.applied.undo) != null,
    };
  });
}

/** Whether a change is tried: where it has a plan, for its mails alone, unless it is large. */
function mayTry(operation: Operation, read: unknown, counts?: Effects['counts']): boolean {
  if (operation.plan === undefined) return true;
  const isLarge = (counts?.members ?? counts?.credits ?? 0) > MAX_TRIED;
  return operation.lock === 'line' && !isLarge && !isLongFor(operation, read);
}

/** With `seen` of a preview, refuses when the same member or size was changed since. */
export async function applyChange(
  { operations, ...options }: ChangeOptions,
  wanted: WantedChange,
  { may, ...by }: By & Seen,
): Promise<MadeChange> {
  const operation = operationOf(operations, wanted.kind);
  assertMayUse(operation, may);
  return await applyOperation(options, { ...wanted, operation }, by);
}

/** Checks no access, because the server makes changes, too. */
export async function applyOperation(
  options: ApplyOptions,
  { kind, input, operation }: WantedChange & { readonly operation: Operation },
  { actor, reason, seen = null }: Pick<By, 'actor' | 'reason'> & Seen,
): Promise<MadeChange> {
  assertReason(reason);
  const read = await operation.read?.(input, false);
  const isLong = isLongFor(operation, read);
  if (isLong) await letOthersIn();
  const { applied, made } = await inRetriedTransaction(options.database, async (transaction) => {
    const { applied } = await runOperation(transaction, options, operation, { input, read });
    const { subject, summary, details, undo = null } = applied;
    if (seen !== null) await assertSeen(transaction, subject, seen);
    const change = await recordAudit(transaction, {
      actor,
      action: kind,
      subject,
      reason,
      details: { summary, ...details },
    });
    const undoUntil = undo === null ? null : new Date(Date.now() + UNDO_FOR_MS);
    if (undo !== null && undoUntil !== null)
      await insertUndo(transaction, { change, subject, data: undo, until: undoUntil, isLong });
    if (isLong) await options.longChanges?.begin(transaction, String(change), beginning(false));
    return { applied, made: { change, summary, undo_until: undoUntil?.toISOString() ?? null } };
  });
  return await answerOf(options, { ...applied, made, long: isLong ? made.change : null });
}

/** The answer of a change or an undo, after its commit and the parts that follow. */
async function answerOf(
  { longChanges }: ApplyOptions,
  { afterCommit, made, long }: Pick<Applied, 'afterCommit'> & Answering,
): Promise<MadeChange> {
  const outcome = await afterCommit?.();
  if (typeof outcome === 'string') return { ...made, summary: outcome };
  if (long === null) return made;
  const end = await longChanges?.finish(String(long));
  if (end) return { ...made, summary: end.summary };
  const unfinished = `${made.summary} It is not done yet, and goes on by itself.`;
  return { ...made, summary: unfinished, undo_until: null };
}

/** Throws Problem conflict when it is too late, done already, or no longer possible. */
export async function undoChange(
  { operations, ...options }: ChangeOptions,
  change: number,
  { actor, may, reason }: By,
): Promise<MadeChange> {
  assertReason(reason);
  const { isLong, undone, made } = await inRetriedTransaction(
    options.database,
    async (transaction) => {
      const taken = await runUndo(transaction, operations, { change, may });
      const { undone } = taken;
      const undoing = await recordAudit(transaction, {
        actor,
        action: 'undo',
        subject: { kind: 'change', id: String(change) },
        reason,
        details: { summary: undone.summary, of: change },
      });
      if (taken.isLong)
        await options.longChanges?.begin(transaction, String(change), beginning(true));
      const made = { change: undoing, summary: undone.summary, undo_until: null };
      return { ...taken, made };
    },
  );
  return await answerOf(options, { ...undone, made, long: isLong ? change : null });
}

type WantedUndo = Pick<By, 'may'> & { readonly change: number; readonly isTried?: boolean };

async function runUndo(
  transaction: Transaction,
  operations: Operations,
  { change, may, isTried = false }: WantedUndo,
) {
  const entry = await readEntry(transaction, change);
  if (entry === null) throw new Problem('unknown_path', `There is no change ${change}.`);
  const isChange = Object.hasOwn(operations, entry.action);
  const operation = isChange ? operationOf(operations, entry.action as ChangeKind) : null;
  if (!operation?.undo) throw conflict(`Change ${change} has no undo.`);
  assertMayUse(operation, may);
  const undo = await readUndo(transaction, change);
  const isLong = undo !== null && isLongFor(operation, undo.data);
  const isUnlocked = isLong || (isTried && operation.triesUndoUnlocked);
  if (operation.lock !== null && !isUnlocked) await lock(transaction, operation.lock);
  if (undo === null || !(await takeUndo(transaction, change, { isLong })))
    throw await explainNoUndo(transaction, change);
  const undone = await operation.undo(transaction, undo.data as never, isTried);
  return { isLong, undone };
}

/** The audit log, with undos as the server would answer them now: each is tried, and taken back. */
export async function listChanges(
  { database, operations }: ChangeOptions,
  page: Parameters<typeof listAudit>[1],
  { may }: Pick<By, 'may'>,
): Promise<AuditPage> {
  const { entries, next } = await listAudit(database, page);
  const undoable = entries.filter(({ undo_until }) => undo_until !== null);
  for await (const part of partsOf(undoable, TRIED_AT_ONCE))
    for (const entry of part)
      await inUndoneTransaction(database, (transaction) =>
        runUndo(transaction, operations, { change: entry.number, may, isTried: true }),
      ).catch((error: unknown) => {
        if (error instanceof Problem)
          Object.assign(entry, { undo_until: null, undo_refusal: error.detail });
      });
  return { entries, next };
}

function assertMayUse({ isForOwners }: Operation, may: By['may']): void {
  if (isForOwners) assertMay(may, 'owner');
}

type Tried = Pick<WantedChange, 'input'> & {
  readonly read: unknown;
  readonly isPreview?: boolean;
};

async function runOperation(
  transaction: Transaction,
  { watchMails }: Pick<ApplyOptions, 'watchMails'>,
  operation: Operation,
  { input, read, isPreview = false }: Tried,
): Promise<{ readonly applied: Applied; readonly mails: readonly string[] }> {
  const isLong = isLongFor(operation, read);
  await operation.beforeLock?.(transaction, read as never);
  if (operation.lock !== null && !isLong) await lock(transaction, operation.lock);
  const movesLine = operation.lock === 'line' && !isLong;
  const describeMails = await watchMails?.(transaction, { movesLine });
  const applied = await operation.apply(transaction, input, read as never, isPreview);
  const mails = await describeMails?.({ hasUndo: (applied.undo ?? null) !== null });
  return { applied, mails: mails ?? [] };
}

function isLongFor({ long }: Operation, readOrData: unknown): boolean {
  return long?.isLong(readOrData as never) ?? false;
}

async function assertSeen(
  transaction: Transaction,
  subject: Subject | null,
  seen: number,
): Promise<void> {
  const last = await readLastChange(transaction, subject);
  if (last !== null && last > seen)
    throw conflict(
      `Change ${last} of the same ${subject?.kind} came in between: look at the preview again.`,
    );
}

async function explainNoUndo(transaction: Transaction, change: number): Promise<Problem> {
  if ((await readUndo(transaction, change))?.isUnderWay)
    return conflict(`Change ${change} is still being made or undone: try again in a moment.`);
  const entry = await readEntry(transaction, change);
  if (entry?.undone_by)
    return conflict(`Change ${change} was undone already, by ${entry.undone_by}.`);
  const isOld = entry !== null && Date.parse(entry.at) + UNDO_FOR_MS <= Date.now();
  return conflict(
    isOld
      ? `Change ${change} was made more than 24 hours ago: it cannot be undone any more.`
      : `Change ${change} cannot be undone: what it needs is deleted, or was never kept.`,
  );
}

/** Kind and input of a `WantedChange` fit each other, which the compiler cannot follow further. */
function operationOf(operations: Operations, kind: ChangeKind): Operation {
  return operations[kind] as Operation;
}
