/** Decided imports, and their undos, go on until their end, whatever stops in between. */
import { recordAudit } from '../../access/audit/record-audit.ts';
import { countOf } from '../../changes/count-words.ts';
import { UNDO_FOR_MS } from '../../changes/operation.ts';
import { letOthersIn } from '../../db/scheduled-work.ts';
import { inTransaction, lock, planByLookUp, type Transaction } from '../../db/transaction.ts';
import { deleteMails, removeMembers } from '../../line/changes/change-store.ts';
import { suppressAddress } from '../../mail/suppression/store.ts';
import type { Platform } from '../../module.ts';
import type { Piece } from './compare-rules.ts';
import { listWalks, updateImport } from './import-store.ts';
import {
  type ImportRun,
  joinMembers,
  leaveUntold,
  linkFriends,
  listUndos,
  lockRun,
  readImported,
  updateRun,
} from './run-store.ts';

/** Members who join or leave at once: the line is locked for less than a tenth of a second. */
export const MOVED_AT_ONCE = 500;

type Walks = { run(importId: string): Promise<void> };

const ACTOR = { kind: 'system', id: null, name: 'import' } as const;

/** Answers when the import or its undo is done, by this server or another one. */
export async function finishImport(
  { database, isStopping }: Pick<Platform, 'database' | 'isStopping'>,
  walks: Walks,
  importId: string,
): Promise<string> {
  for (;;) {
    await walks.run(importId);
    const run = await inTransaction(database, (transaction) => leavePiece(transaction, importId));
    if (run.is_done) return describeRun(run);
    if (isStopping()) return 'It is not done yet, and goes on by itself.';
    await letOthersIn();
  }
}

/** Goes on with what a server has left when it stopped. Servers may run it at the same time. */
export async function continueImports(
  platform: Pick<Platform, 'database' | 'isStopping'>,
  walks: Walks,
): Promise<void> {
  const { database } = platform;
  for (const id of await listWalks(database)) await walks.run(id);
  for (const id of await listUndos(database, new Date(Date.now() - UNDO_FOR_MS)))
    await finishImport(platform, walks, id);
}

/** Makes members of a piece of a list, links its friends, and says how far the list is. */
export async function joinPiece(
  transaction: Transaction,
  secretKey: string,
  run: ImportRun,
  { done_to, drafts, links, met }: Piece,
): Promise<void> {
  const { givesCredit } = run.options;
  const told = [...drafts, ...links].flatMap(({ is_told, credit, referrer_id: id }) =>
    givesCredit && is_told && credit === null && id !== null ? [id] : [],
  );
  await leaveUntold(transaction, told, async () => {
    if (drafts.length > 0) await joinMembers(transaction, run, drafts);
    if (links.length > 0) await linkFriends(transaction, links, run.options);
  });
  for (const { mail_state: reason, email_identity: identity } of drafts)
    if (reason !== null && identity !== null)
      await suppressAddress({ kysely: transaction }, secretKey, { identity, reason });
  const [moved, left_out] = [run.moved + drafts.length, run.left_out + met];
  await updateRun(transaction, { ...run, done_to, moved, left_out });
}

/** Ends the import or its undo. */
export async function endRun(transaction: Transaction, ended: ImportRun): Promise<ImportRun> {
  const run = { ...ended, is_done: true };
  const { import_id, options, ...details } = run;
  await updateRun(transaction, run);
  await recordAudit(transaction, {
    actor: ACTOR,
    action: run.goal === 'join' ? 'import-ended' : 'import-undone',
    subject: null,
    reason: null,
    details: { summary: describeRun(run), import: import_id, ...details },
  });
  return run;
}

/** The import stops where it is. */
export async function reverseImport(
  transaction: Transaction,
  importId: string,
): Promise<ImportRun> {
  await updateImport(transaction, { id: importId }, { state: 'imported', check_id: null });
  const run = await lockRun(transaction, importId);
  const goal = 'leave' as const;
  const reversed = { ...run, goal, is_done: false, done_to: 0, moved: 0, left_out: 0 };
  await updateRun(transaction, reversed);
  return reversed;
}

/** Goes on with an undo, if that is what the run is for. */
async function leavePiece(transaction: Transaction, importId: string): Promise<ImportRun> {
  const run = await lockRun(transaction, importId);
  if (run.is_done || run.goal === 'join') return run;
  await planByLookUp(transaction);
  const wanted = { importId, after: run.done_to, limit: MOVED_AT_ONCE };
  const readLeaving = async () => {
    const members = await readImported(transaction, wanted);
    return { members, ids: members.filter((one) => !one.has_friends).map(({ id }) => id) };
  };
  await deleteMails(transaction, (await readLeaving()).ids);
  await lock(transaction, 'line');
  const { members, ids } = await readLeaving();
  if (ids.length > 0) await removeMembers(transaction, ids, null);
  const after = {
    ...run,
    done_to: members.at(-1)?.sequence ?? run.done_to,
    moved: run.moved + ids.length,
    left_out: run.left_out + members.length - ids.length,
  };
  if (members.length < MOVED_AT_ONCE) return await endRun(transaction, after);
  await updateRun(transaction, after);
  return after;
}

/** What has come of it. */
function describeRun({ goal, options, moved, left_out }: ImportRun): string {
  if (goal === 'join') {
    const leftOut = options.rows - moved;
    return (
      `${countOf(moved, 'member')} joined from ${options.file}, ` +
      `${countOf(leftOut, 'row')} of it ${leftOut === 1 ? 'was' : 'were'} left out.`
    );
  }
  const left = `${countOf(moved, 'imported member')} left the line again.`;
  if (left_out === 0) return left;
  return `${left} ${countOf(left_out, 'member')} stayed: friends have joined by them since.`;
}
