import { recordAudit } from '../../changes/audit/record-audit.ts';
import { countOf } from '../../changes/count-words.ts';
import { UNDO_FOR_MS } from '../../changes/operation.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction, lock, planByLookUp, type Transaction } from '../../db/transaction.ts';
import { deleteMails, removeMembers } from '../../line/changes/change-store.ts';
import { suppressAddress } from '../../mail/suppression/store.ts';
import type { Platform } from '../../module.ts';
import { dropContents, updateImport } from './import-store.ts';
import { draftPiece } from './piece-rules.ts';
import {
  creditReferrers,
  type ImportRun,
  insertMembers,
  insertStandings,
  leaveOut,
  linkEarlierFriends,
  listUnfinishedRuns,
  lockRun,
  queueImportedMails,
  readImported,
  readLineEnd,
  readRows,
  updateRun,
} from './run-store.ts';

/** The line is locked for less than a tenth of a second. */
export const JOINING_AT_ONCE = 500;
const LEAVING_AT_ONCE = 500;
/** Less than the time between two runs of `continueImports`. */
const CONTINUE_MS = 4_000;

type Storage = Pick<Platform, 'database' | 'secretKey'>;

const ACTOR = { kind: 'system', id: null, name: 'import' } as const;

export async function finishImport(
  { database, secretKey }: Storage,
  importId: string,
  isOver: () => boolean,
): Promise<string> {
  for (;;) {
    const run = await inTransaction(database, async (transaction) => {
      const piece = await takePiece(transaction, importId, secretKey);
      if (!piece?.isLast) return piece;
      await updateImport(transaction, { id: importId }, { state: 'imported' });
      const summary = describe(piece);
      const { import_id, options, ...details } = piece;
      await recordAudit(transaction, {
        actor: ACTOR,
        action: piece.goal === 'join' ? 'import-ended' : 'import-undone',
        subject: null,
        reason: null,
        details: { summary, import: import_id, ...details },
      });
      return piece;
    });
    if (run === null) return 'This import is not known any more.';
    if (run.is_done) {
      await dropContents(database);
      return describe(run);
    }
    if (isOver()) return 'It is not done yet, and goes on by itself.';
    await letOthersIn();
  }
}

/** Goes on with imports whose server has stopped. Servers may run it at the same time. */
export async function continueImports(storage: Storage): Promise<void> {
  const until = performance.now() + CONTINUE_MS;
  for (const id of await listUnfinishedRuns(storage.database, new Date(Date.now() - UNDO_FOR_MS)))
    await finishImport(storage, id, () => performance.now() > until);
}

export async function takePiece(
  transaction: Transaction,
  importId: string,
  secretKey: string,
): Promise<(ImportRun & { readonly isLast: boolean }) | null> {
  const run = await lockRun(transaction, importId);
  if (run === null) return null;
  if (run.is_done) return { ...run, isLast: false };
  await planByLookUp(transaction);
  const after = await (run.goal === 'join'
    ? joinPiece(transaction, run, secretKey)
    : leavePiece(transaction, run));
  await updateRun(transaction, after);
  return { ...after, isLast: after.is_done };
}

export async function reverseImport(
  transaction: Transaction,
  importId: string,
): Promise<ImportRun | null> {
  const run = await lockRun(transaction, importId);
  if (run === null) return null;
  const goal = 'leave' as const;
  const reversed = { ...run, goal, is_done: false, done_to: 0, moved: 0, left_out: 0 };
  await updateRun(transaction, reversed);
  return reversed;
}

async function joinPiece(
  transaction: Transaction,
  run: ImportRun,
  secretKey: string,
): Promise<ImportRun> {
  const { import_id: importId, options, done_to: before } = run;
  await lock(transaction, 'line');
  const rows = await readRows(transaction, { importId, after: before, limit: JOINING_AT_ONCE });
  const known = rows.filter(({ known_id }) => known_id !== null);
  if (known.length > 0) await leaveOut(transaction, importId, known);
  const end = await readLineEnd(transaction);
  const { drafts, credits, informed } = draftPiece(rows, { ...options, ...end });
  if (drafts.length > 0) {
    await insertStandings(transaction, drafts);
    await creditReferrers(transaction, credits, informed);
    await insertMembers(transaction, run, drafts, end);
    for (const { mail_state: reason, email_identity: identity, known_id } of rows)
      if (reason !== null && known_id === null)
        await suppressAddress({ kysely: transaction }, secretKey, { identity, reason });
    if (options.mail !== null) await queueImportedMails(transaction, drafts, options.mail);
  }
  const last = rows.at(-1)?.place ?? before;
  const { givesCredit } = options;
  await linkEarlierFriends(transaction, importId, { before, last, givesCredit });
  return {
    ...run,
    is_done: rows.length < JOINING_AT_ONCE,
    done_to: last,
    moved: run.moved + drafts.length,
    left_out: run.left_out + known.length,
  };
}

async function leavePiece(transaction: Transaction, run: ImportRun): Promise<ImportRun> {
  const wanted = { importId: run.import_id, after: run.done_to, limit: LEAVING_AT_ONCE };
  const idsOf = (members: Awaited<ReturnType<typeof readImported>>) =>
    members.filter((member) => !member.has_friends).map(({ id }) => id);
  await deleteMails(transaction, idsOf(await readImported(transaction, wanted)));
  await lock(transaction, 'line');
  const members = await readImported(transaction, wanted);
  const leaving = idsOf(members);
  if (leaving.length > 0) await removeMembers(transaction, leaving, null);
  return {
    ...run,
    is_done: members.length < LEAVING_AT_ONCE,
    done_to: members.at(-1)?.sequence ?? run.done_to,
    moved: run.moved + leaving.length,
    left_out: run.left_out + members.length - leaving.length,
  };
}

function describe({ goal, options, moved, left_out }: ImportRun): string {
  if (goal === 'join') {
    const leftOut = options.rows - moved;
    return (
      `${countOf(moved, 'member')} joined from ${options.file}, ` +
      `${countOf(leftOut, 'row')} of it ${leftOut === 1 ? 'was' : 'were'} left out.`
    );
  }
  const stay =
    left_out === 0
      ? ''
      : ` ${countOf(left_out, 'member')} stayed: friends have joined by them since.`;
  return `${countOf(moved, 'imported member')} left the line again.${stay}`;
}
