import { recordAudit } from '../../access/audit/record-audit.ts';
import { countOf } from '../../changes/count-words.ts';
import { lock, planByLookUp, type Transaction } from '../../db/transaction.ts';
import { deleteMails, removeMembers } from '../../line/changes/change-store.ts';
import { suppressAddress } from '../../mail/suppression/store.ts';
import type { Piece } from './compare-rules.ts';
import { updateImport } from './import-store.ts';
import {
  type ImportRun,
  joinMembers,
  leaveUntold,
  linkFriends,
  lockRun,
  readImported,
  updateRun,
} from './run-store.ts';

/** The line is locked for less than a tenth of a second. */
export const JOINING_AT_ONCE = 500;
const LEAVING_AT_ONCE = 500;

const ACTOR = { kind: 'system', id: null, name: 'import' } as const;

/** Makes members of a piece of a list, links its friends, and says how far the list is. */
export async function joinPiece(
  { transaction, secretKey }: { readonly transaction: Transaction; readonly secretKey: string },
  run: ImportRun,
  { done_to, drafts, links, met }: Piece,
): Promise<void> {
  const { givesCredit } = run.options;
  const told = [...drafts, ...links].flatMap(({ is_told, credit, referrer_id: id }) =>
    givesCredit && is_told && credit === null && id !== null ? [id] : [],
  );
  await leaveUntold(transaction, told, async () => {
    if (drafts.length > 0) await joinMembers(transaction, run, drafts);
    await linkFriends(transaction, links, run.options);
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
export async function leavePiece(transaction: Transaction, importId: string): Promise<ImportRun> {
  const run = await lockRun(transaction, importId);
  if (run.is_done || run.goal === 'join') return run;
  await planByLookUp(transaction);
  const wanted = { importId, after: run.done_to, limit: LEAVING_AT_ONCE };
  const idsOf = (members: Awaited<ReturnType<typeof readImported>>) =>
    members.filter((member) => !member.has_friends).map(({ id }) => id);
  await deleteMails(transaction, idsOf(await readImported(transaction, wanted)));
  await lock(transaction, 'line');
  const members = await readImported(transaction, wanted);
  const leaving = idsOf(members);
  if (leaving.length > 0) await removeMembers(transaction, leaving, null);
  const after = {
    ...run,
    done_to: members.at(-1)?.sequence ?? run.done_to,
    moved: run.moved + leaving.length,
    left_out: run.left_out + members.length - leaving.length,
  };
  if (members.length < LEAVING_AT_ONCE) return await endRun(transaction, after);
  await updateRun(transaction, after);
  return after;
}

/** What has come of it. */
export function describeRun({ goal, options, moved, left_out }: ImportRun): string {
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
