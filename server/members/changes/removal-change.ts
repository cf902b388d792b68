import { randomUUID } from 'node:crypto';
import type { ChangeInput } from '../../../contract/operator/changes.ts';
import type { Subject } from '../../access/audit/audit-store.ts';
import { deleteUndoUntil } from '../../changes/changes-store.ts';
import { countOf } from '../../changes/count-words.ts';
import { type Operation, UNDO_FOR_MS } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import {
  canRestoreAny,
  deleteMails,
  deleteRemovedUntil,
  removeMembers,
  restoreMembers,
} from '../../line/changes/change-store.ts';
import { previewRemoval } from '../../line/changes/preview-removal.ts';
import { readMemberId } from '../../line/member-id-rules.ts';
import { countTierChanges } from '../../line/referrals/tier-rules.ts';
import type { Platform } from '../../module.ts';
import { conflict, invalidField } from '../../problem.ts';
import { deleteKeptMail } from '../links/kept-mail.ts';
import { countHeldMasks } from '../links/store.ts';
import { readFilter } from '../list/filter-rules.ts';
import { readMatchingIds } from '../list/filter-store.ts';
import { describeRemoval, describeTiers } from './describe-removal.ts';

type Input = ChangeInput<'remove-members'>;

type Undo = { readonly removalId: string };

const NOBODY = 'Their addresses are in line again: nobody can come back.';
/** A larger removal would keep joins waiting for too long. */
const MAX_REMOVED = 20_000;

export function openRemoveMembers(platform: Platform): Operation<'remove-members'> {
  const { database, brand, config } = platform;

  async function findIds(
    transaction: Transaction,
    { member_ids: named, filter, expected = MAX_REMOVED }: Input,
    among?: readonly string[],
  ): Promise<string[]> {
    if ((named === undefined) === (filter === undefined))
      throw invalidField('A removal needs either "member_ids" or "filter".');
    if (filter !== undefined && Object.keys(filter).length === 0)
      throw invalidField('A removal by filter needs at least one condition.');
    const ids = among ?? named?.flatMap((id) => readMemberId(id) ?? []) ?? null;
    const criteria = readFilter(filter ?? {}, brand.tiers);
    const found = await readMatchingIds(transaction, criteria, { ids, limit: MAX_REMOVED + 1 });
    if (found.length === 0) throw conflict('No member in line matches.');
    if (found.length > MAX_REMOVED)
      throw conflict(
        `More than ${countOf(MAX_REMOVED, 'member')} match: remove them in several steps.`,
      );
    if (found.length > expected)
      throw conflict(
        `${countOf(found.length, 'member')} match by now, and not ${expected}: ` +
          'look at the preview again.',
      );
    return found;
  }

  return {
    lock: 'line',
    triesUndoUnlocked: true,

    async read(input) {
      return await inTransaction(database, (transaction) => findIds(transaction, input));
    },

    async plan(_, ids: readonly string[]) {
      return await inTransaction(database, async (transaction) => {
        const effects = await previewRemoval(transaction, ids, brand);
        const held = await countHeldMasks({ kysely: transaction }, ids);
        return { ...describeRemoval(effects, held), subject: subjectOf(ids) };
      });
    },

    beforeLock: (transaction, ids: readonly string[]) => deleteMails(transaction, ids),

    async apply(transaction, input, read: readonly string[]) {
      const ids = await findIds(transaction, input, read);
      const removalId = randomUUID();
      const until = new Date(Date.now() + UNDO_FOR_MS);
      const removal = await removeMembers(transaction, ids, { removalId, until });
      const { removed: members, friends } = removal;
      const credits = removal.referrers.reduce((sum, { lost }) => sum + lost, 0);
      const counts = { members, credits, friends };
      const tiers = countTierChanges(
        brand.tiers,
        removal.referrers.map(({ referrals: before, lost }) => ({ before, after: before - lost })),
      );
      const { text: _mayBeAnAddress, ...filter } = input.filter ?? {};
      return {
        summary:
          `${countOf(members, 'member was', 'members were')} removed, ` +
          `${countOf(credits, 'credit')} taken back${describeTiers(tiers)}.`,
        subject: subjectOf(ids),
        details: { ...counts, ...(input.filter === undefined ? { member_ids: ids } : { filter }) },
        undo: { removalId },
        afterCommit: () => deleteKeptMail(config.dataDir, ids),
      };
    },

    async undo(transaction, { removalId }: Undo, isTried) {
      const { restored, leftOut } = isTried
        ? { restored: Number(await canRestoreAny(transaction, removalId)), leftOut: 0 }
        : await restoreMembers(transaction, removalId);
      if (restored === 0) throw conflict(NOBODY);
      const others =
        leftOut === 0
          ? ''
          : ` ${countOf(leftOut, 'other is', 'others are')} in line again with the same address.`;
      return { summary: `${countOf(restored, 'member')} came back.${others}` };
    },
  };
}

export async function deleteExpiredUndo(database: Database): Promise<void> {
  const now = new Date();
  await inTransaction(database, async (transaction) => {
    await deleteUndoUntil(transaction, now);
    await deleteRemovedUntil(transaction, now);
  });
}

function subjectOf([id, ...others]: readonly string[]): Subject | null {
  return id === undefined || others.length > 0 ? null : { kind: 'member', id };
}
