import type { Brand } from '../../../brand/brand-shape.ts';
import type { Operation } from '../../changes/operation.ts';
import { getChanging } from '../../line/changes/get-changing.ts';
import type { Mail } from '../../notifications/open-mail.ts';
import { resendLink } from '../links/resend-link.ts';

/** The mail with the status link goes out again. A mail that left cannot be undone. */
export function openResendLink({
  brand,
  secretKey,
  mail,
}: {
  readonly brand: Pick<Brand, 'mails'>;
  readonly secretKey: string;
  readonly mail: Pick<Mail, 'wake'>;
}): Operation<'resend-link'> {
  return {
    kind: 'resend-link',
    lock: 'line',
    async apply(transaction, { member_id: memberId }) {
      const { id, email, email_identity: identity } = await getChanging(transaction, memberId);
      await resendLink(transaction, { brand, secretKey, member: { id, identity } });
      return {
        effects: { sentences: [`${email} is mailed the status link.`], counts: { mails: 1 } },
        summary: 'A member was mailed the status link again.',
        subject: { kind: 'member', id },
        details: {},
        undo: null,
        afterCommit: async () => mail.wake(),
      };
    },
  };
}
