/** Steps of decided imports, and of their undos. */
import { recordAudit } from '../../access/audit/record-audit.ts';
import { countOf } from '../../changes/count-words.ts';
import { lock, planByLookUp, type Transaction } from '../../db/transaction.ts';
import type { Job } from '../../durable-work/work.ts';
import { deleteMails, removeMembers } from '../../line/changes/change-store.ts';
import { suppressAddress } from '../../mail/suppression/store.ts';
import type { Piece } from './compare-rules.ts';
import {
  type ImportRun,
  joinMembers,
  leaveUntold,
  linkFriends,
  readImported,
} from './run-store.ts';

/** Members who join or leave at once: the line is locked for less than a tenth of a second. */
export const MOVED_AT_ONCE = 500;

const ACTOR = { kind: 'system', id: null, name: 'import' } as const;

/** Makes members of a piece of a list, links its friends, and returns how far the list is. */
export async function joinPiece(
  transaction: Transaction,
  secretKey: string,
  { key: importId, progress: run }: Pick<Job<ImportRun>, 'key' | 'progress'>,
  { done_to, drafts, links, met }: Piece,
): Promise<ImportRun> {
  const { options } = run;
  const { givesCredit } = options;
  const told = [...drafts, ...links].flatMap(({ is_told, credit, referrer_id: id }) =>
    givesCredit && is_told && credit === null && id !== null ? [id] : [],
  );
  await leaveUntold(transaction, told, async () => {
    if (drafts.length > 0) await joinMembers(transaction, { importId, options }, drafts);
    if (links.length > 0) await linkFriends(transaction, links, options);
  });
  for (const { mail_state: reason, email_identity: identity } of drafts)
    if (reason !== null && identity !== null)
      await suppressAddress({ kysely: transaction }, secretKey, { identity, reason });
  return { ...run, done_to, moved: run.moved + drafts.length, left_out: run.left_out + met };
}

/** Ends the import or its undo. */
export async function endRun(
  transaction: Transaction,
  { key, progress: run }: Pick<Job<ImportRun>, 'key' | 'progress'>,
): Promise<null> {
  const { options: _options, ...details } = run;
  await recordAudit(transaction, {
    actor: ACTOR,
    action: run.goal === 'join' ? 'import-ended' : 'import-undone',
    subject: null,
    reason: null,
    details: { summary: describeRun(run), import: key, ...details },
  });
  return null;
}

/** Lets the next members of an import leave again. */
export async function leavePiece(
  transaction: Transaction,
  job: Pick<Job<ImportRun>, 'key' | 'progress'>,
): Promise<ImportRun | null> {
  const run = job.progress;
  await planByLookUp(transaction);
  const wanted = { importId: job.key, after: run.done_to, limit: MOVED_AT_ONCE };
  const readLeaving = async () => {
    const members = await readImported(transaction, wanted);
    return { members, ids: members.filter((one) => !one.has_friends).map(({ id }) => id) };
  };
  await deleteMails(transaction, (await readLeaving()).ids);
  await lock(transaction, 'line');
  const { members, ids } = await readLeaving();
  const last = members.at(-1);
  if (last === undefined) return await endRun(transaction, job);
  if (ids.length > 0) await removeMembers(transaction, ids, null);
  return {
    ...run,
    done_to: last.sequence,
    moved: run.moved + ids.length,
    left_out: run.left_out + members.length - ids.length,
  };
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
  const left = `${countOf(moved, 'imported member')} left the line again.`;
  if (left_out === 0) return left;
  return `${left} ${countOf(left_out, 'member')} stayed: friends have joined by them since.`;
}
