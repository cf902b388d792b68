import type { Operation } from '../../changes/operation.ts';
import { inTransaction } from '../../db/transaction.ts';
import { deleteMails, findErasable, removeMembers } from '../../line/changes/change-store.ts';
import { previewRemoval } from '../../line/changes/preview-removal.ts';
import type { Platform } from '../../module.ts';
import { forgetInImports } from '../imports/forget-in-imports.ts';
import { deleteKeptMail } from '../links/kept-mail.ts';
import { countHeldMasks } from '../links/store.ts';
import { describeRemoval } from './describe-removal.ts';

/** Leaves the id in the audit log, and the keyed hash of a suppressed address. */
export function openEraseMember({ brand, config, database }: Platform): Operation<'erase-member'> {
  return {
    lock: 'line',
    async read({ member }, isPreview) {
      const { id } = await inTransaction(database, (reader) => findErasable(reader, member));
      if (!isPreview) await forgetInImports(database, id);
      return id;
    },
    beforeLock: (transaction, id: string) => deleteMails(transaction, [id]),
    async apply(transaction, { member }) {
      const { id, isInLine } = await findErasable(transaction, member);
      const { sentences, counts } = describeRemoval(
        await previewRemoval(transaction, [id], brand),
        await countHeldMasks({ kysely: transaction }, [id]),
      );
      await removeMembers(transaction, [id], null);
      return {
        sentences: [
          ...(isInLine ? sentences : ['What is kept for the undo of their removal is deleted.']),
          'Their address is blotted out of campaigns, notes, allocations and lists to import.',
          'A name in such a text stays: look through campaigns, allocations and the activity.',
          'This cannot be undone, and neither can earlier changes of this member.',
        ],
        counts,
        summary: isInLine ? 'A member was erased.' : 'A member who had been removed was erased.',
        subject: { kind: 'member', id },
        afterCommit: () => deleteKeptMail(config.dataDir, [id]),
      };
    },
  };
}
