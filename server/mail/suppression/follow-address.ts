import type { Transaction } from '../../db/transaction.ts';
import { moveSuppression, readSuppression, type SuppressionReason } from './store.ts';

/**
 * A member got another address: whether mail to them is stopped is a matter of the address. Returns
 * why the new one gets no mail; null when it does.
 */
export async function followAddress(
  transaction: Transaction,
  secretKey: string,
  { memberId, from, to }: { memberId: string; from: string; to: string },
): Promise<SuppressionReason | null> {
  if (from !== to) await moveSuppression(transaction, secretKey, { id: memberId, from, to });
  const suppression = await readSuppression({ kysely: transaction }, secretKey, to);
  return suppression?.reason ?? null;
}
