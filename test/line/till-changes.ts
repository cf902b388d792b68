/** What happens to an offer, pass or entry in the histories of a till. */
import type { Transaction } from '../../server/db/transaction.ts';
import { scanPass, undoScan } from '../../server/drop/hand-over/scan-pass.ts';
import { acceptOffer } from '../../server/drop/offers/settle-offer.ts';
import { redeemPass } from '../../server/drop/passes/passes.ts';
import { readChosen, tellsUnpaid } from '../../server/drop/till/account-store.ts';
import { enterDrop, withdrawEntry } from '../../server/drop/till/entries.ts';
import { cancelPass } from '../../server/drop/till/settle-payment.ts';
import { removeMembers } from '../../server/line/changes/change-store.ts';
import { MINUTE_MS } from './till-line.ts';

const DOOR = { kind: 'operator', id: null, name: 'door' } as const;

type Kind = 'accept' | 'enter' | 'withdraw' | 'redeem' | 'undo' | 'door' | 'cancel' | 'leave';

export async function changeOffer(
  transaction: Transaction,
  kind: Kind,
  { memberId, id, code }: Record<'memberId' | 'id' | 'code', string>,
): Promise<unknown> {
  switch (kind) {
    case 'accept':
      return await acceptOffer(transaction, memberId);
    case 'enter':
      return await enterDrop(transaction, memberId);
    case 'withdraw':
      return await withdrawEntry(transaction, memberId);
    case 'redeem':
      return await redeemPass(transaction, { code, order: 'by hand' });
    case 'undo':
      return await undoScan(transaction, { code, scan: id }, DOOR);
    case 'door': {
      // Where the till says what is paid, only that is handed over.
      const onlyPaid = tellsUnpaid(await readChosen({ kysely: transaction }));
      return await scanPass(transaction, { code, scan: id }, { actor: DOOR, onlyPaid });
    }
    case 'cancel':
      return await cancelPass(transaction, code);
    case 'leave': {
      const until = new Date(Date.now() + 60 * MINUTE_MS);
      const removal = { removalId: crypto.randomUUID(), until };
      return await removeMembers(transaction, [memberId], removal);
    }
  }
}
