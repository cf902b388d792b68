/** The next piece of an import, or of its undo: each a transaction, so that joins have turns. */
import type { Database } from '../../../db/database.ts';
import { lock, planByLookUp, type Transaction } from '../../../db/transaction.ts';
import { prepareRemoval, removeMembers } from '../../../line/changes/remove-members.ts';
import {
  creditReferrers,
  deleteDue,
  insertMembers,
  insertStandings,
  leaveOut,
  linkFriends,
  queueImportedMails,
  readDue,
  readEarlierFriends,
  readLineEnd,
  readRows,
} from './join-store.ts';
import { readImported } from './leave-store.ts';
import {
  type Draft,
  draftPiece,
  type ImportOptions,
  type ImportRun,
  type ListRow,
} from './piece-rules.ts';
import {
  deleteRunsBefore,
  insertPiece,
  insertRun,
  listUnfinishedRuns,
  lockRun,
  updateRun,
} from './run-store.ts';

/** The line is locked for less than a tenth of a second. */
export const JOINING_AT_ONCE = 500;
const LEAVING_AT_ONCE = 500;

/** Decides the import: once this commits, the list joins in pieces (`takePiece`). */
export async function decideImport(
  transaction: Transaction,
  importId: string,
  options: ImportOptions,
): Promise<void> {
  await insertRun(transaction, importId, options);
}

/** Imports and undoings to go on with, oldest first; done ones of before `forget` are forgotten. */
export async function listUnfinishedImports(
  database: Database,
  { forget }: { forget: Date },
): Promise<string[]> {
  await deleteRunsBefore(database, forget);
  return await listUnfinishedRuns(database);
}

/**
 * Goes on with an import. Returns how far it is then, or null when there is nothing to go on with;
 * `isLast` is true once, when this piece was the last one.
 */
export async function takePiece(
  transaction: Transaction,
  importId: string,
): Promise<(ImportRun & { readonly isLast: boolean }) | null> {
  const run = await lockRun(transaction, importId);
  if (run === null) return null;
  if (run.is_done) return { ...run, isLast: false };
  await planByLookUp(transaction);
  const { options, ...after } =
    run.goal === 'join' ? await joinPiece(transaction, run) : await leavePiece(transaction, run);
  await updateRun(transaction, after);
  return { ...after, options, isLast: after.is_done };
}

/** Starts the undo: imported members leave again, in pieces. Null when there is no run. */
export async function turnBack(
  transaction: Transaction,
  importId: string,
): Promise<ImportRun | null> {
  const run = await lockRun(transaction, importId);
  if (run === null) return null;
  const { options, ...known } = run;
  const turned = {
    ...known,
    goal: 'leave' as const,
    is_done: false,
    done_to: 0,
    moved: 0,
    left_out: 0,
  };
  await updateRun(transaction, turned);
  return { ...turned, options };
}

async function joinPiece(transaction: Transaction, run: ImportRun): Promise<ImportRun> {
  const { import_id: importId, options, done_to: before } = run;
  await lock(transaction, 'line');
  const rows = await readRows(transaction, { importId, after: before, limit: JOINING_AT_ONCE });
  const known = rows.filter(({ known_id }) => known_id !== null);
  if (known.length > 0) await leaveOut(transaction, importId, known);
  const { next, total } = await readLineEnd(transaction);
  const piece = draftPiece(rows, { next, givesCredit: options.givesCredit });
  if (piece.drafts.length > 0) {
    await insertStandings(transaction, piece.drafts);
    const due = await readDue(transaction, piece.informed);
    await creditReferrers(transaction, piece.creditsBefore);
    await insertMembers(transaction, piece.drafts, { importId, total, ...options });
    await deleteDue(
      transaction,
      piece.informed.filter((id) => !due.has(id)),
    );
    if (options.mail !== null) await queueImportedMails(transaction, piece.drafts, options.mail);
    const last = next + piece.drafts.length - 1;
    await insertPiece(transaction, importId, { first: next, last });
  }
  await linkEarlierFriends(transaction, run, { rows, drafts: piece.drafts });
  return {
    ...run,
    is_done: rows.length < JOINING_AT_ONCE,
    done_to: rows.at(-1)?.place ?? before,
    moved: run.moved + piece.drafts.length,
    left_out: run.left_out + known.length,
  };
}

/** In a list the newest may come first: then friends join before the referrers that they name. */
async function linkEarlierFriends(
  transaction: Transaction,
  { import_id: importId, options, done_to: before }: ImportRun,
  { rows, drafts }: { rows: readonly ListRow[]; drafts: readonly Draft[] },
): Promise<void> {
  const idOf = new Map(rows.map((row) => [row.ordinal, row.known_id ?? row.member_id]));
  const friends = await readEarlierFriends(transaction, {
    importId,
    before,
    ordinals: [...idOf.keys()],
  });
  if (friends.length === 0) return;
  const links = friends.map(({ friend_id, referrer_ordinal }) => ({
    friend_id,
    referrer_id: idOf.get(referrer_ordinal) as string,
  }));
  await linkFriends(transaction, links, options);
  await deleteDue(
    transaction,
    drafts.map(({ member_id }) => member_id),
  );
}

/** Removes the next part of what was imported, except members who have brought friends since. */
async function leavePiece(transaction: Transaction, run: ImportRun): Promise<ImportRun> {
  const asked = { importId: run.import_id, after: run.done_to, limit: LEAVING_AT_ONCE };
  const idsOf = (members: Awaited<ReturnType<typeof readImported>>) =>
    members.filter((member) => !member.has_friends).map(({ id }) => id);
  await prepareRemoval(transaction, idsOf(await readImported(transaction, asked)));
  await lock(transaction, 'line');
  const members = await readImported(transaction, asked);
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
