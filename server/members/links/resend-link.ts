import type { Brand } from '../../../brand/brand-shape.ts';
import type { Transaction } from '../../db/transaction.ts';
import { readSuppression } from '../../mail/suppression/store.ts';
import { Problem } from '../../problem.ts';
import { queueLink } from './store.ts';

/**
 * Queues the mail with the status link, also shortly after another one. Wake the mail sender after
 * the commit. Throws Problem conflict when the brand has no such mail or the address gets none.
 */
export async function resendLink(
  transaction: Transaction,
  {
    brand,
    secretKey,
    member,
  }: {
    brand: Pick<Brand, 'mails'>;
    secretKey: string;
    member: { readonly id: string; readonly identity: string };
  },
): Promise<void> {
  if (!brand.mails['status-link'].isOn)
    throw new Problem('conflict', 'The brand file switches the mail "status-link" off.');
  const suppression = await readSuppression({ kysely: transaction }, secretKey, member.identity);
  if (suppression !== null)
    throw new Problem(
      'conflict',
      `This address gets no mail (${suppression.reason}): ask first, then resume mail to it.`,
    );
  await queueLink(transaction, member.id);
}
