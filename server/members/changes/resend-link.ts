import type { Operation } from '../../changes/operation.ts';
import { getChanging } from '../../line/changes/change-store.ts';
import type { MailSending } from '../../line/mails/mail-kinds.ts';
import { readSuppression } from '../../mail/suppression/store.ts';
import type { Platform } from '../../module.ts';
import { conflict } from '../../problem.ts';
import { queueLink } from '../links/store.ts';

export function openResendLink(
  { brand, secretKey }: Platform,
  mail: Pick<MailSending, 'wake'>,
): Operation<'resend-link'> {
  return {
    lock: 'line',
    isMailing: true,
    async apply(transaction, { member_id: memberId }) {
      const { id, email, email_identity: identity } = await getChanging(transaction, memberId);
      if (!brand.mails['status-link'].isOn)
        throw conflict('The brand file switches the mail "status-link" off.');
      const suppression = await readSuppression({ kysely: transaction }, secretKey, identity);
      if (suppression !== null)
        throw conflict(
          `This address gets no mail (${suppression.reason}): ask first, then resume mail to it.`,
        );
      await queueLink(transaction, id);
      return {
        sentences: [`${email} is mailed the status link.`],
        counts: { mails: 1 },
        summary: 'A member was mailed the status link again.',
        subject: { kind: 'member', id },
        afterCommit: async () => mail.wake(),
      };
    },
  };
}
