import type { Operation } from '../../changes/operation.ts';
import {
  correctAddress,
  type HeldAddress,
  restoreAddress,
} from '../../line/changes/correct-address.ts';
import { followAddress } from '../../mail/suppression/store.ts';
import type { Platform } from '../../module.ts';

type Undo = {
  readonly memberId: string;
  readonly from: Pick<HeldAddress, 'email' | 'identity'>;
  readonly to: Omit<HeldAddress, 'confirmedAt'> & { readonly confirmedAt: string | null };
};

export function openCorrectAddress({ secretKey }: Platform): Operation<'correct-address'> {
  return {
    lock: 'line',
    async apply(transaction, { member_id, email }) {
      const memberId = member_id.toLowerCase();
      const { before, after } = await correctAddress(transaction, { memberId, email });
      const stopped = await followAddress(transaction, secretKey, {
        memberId,
        from: before.identity,
        to: after.identity,
      });
      const undo: Undo = {
        memberId,
        from: { email: after.email, identity: after.identity },
        to: { ...before, confirmedAt: before.confirmedAt?.toISOString() ?? null },
      };
      const sentences = [`The address ${before.email} becomes ${after.email}.`];
      if (before.confirmedAt !== null && after.confirmedAt === null)
        sentences.push('It is not confirmed any more. Credits stay.');
      if (before.mailbox !== after.mailbox)
        sentences.push('Links in mails to the address before stop working.');
      if (stopped !== null) sentences.push(`The new address gets no mail: ${stopped}.`);
      return {
        sentences,
        summary: 'The address of a member was corrected.',
        subject: { kind: 'member', id: memberId },
        undo,
      };
    },
    async undo(transaction, { memberId, from, to }: Undo) {
      const confirmedAt = to.confirmedAt === null ? null : new Date(to.confirmedAt);
      const held = { ...to, confirmedAt };
      await restoreAddress(transaction, { memberId, from: from.email, to: held });
      const identities = { from: from.identity, to: to.identity };
      await followAddress(transaction, secretKey, { memberId, ...identities });
      return { summary: 'A member has the address of before again.' };
    },
  };
}
