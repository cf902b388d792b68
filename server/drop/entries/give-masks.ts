/** After the draw, masks go along its order to those whose card holds the price. */
import type { Transaction } from '../../db/transaction.ts';
import { shareOut } from '../offers/offer-rules.ts';
import {
  insertOffers,
  readLastWave,
  readNextEntrants,
  updateOffer,
} from '../offers/offer-store.ts';
import { claimCode } from '../offers/settle-offer.ts';
import type { DropRow } from '../steps/drop-store.ts';
import { sumHeld } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';
import { RELEASE_AFTER_MS } from './entry-rules.ts';
import { countEntries, releaseEntries } from './entry-store.ts';

/** Returns whether cards may still get masks, so that nobody is offered one yet. */
export async function giveToEntries(
  transaction: Transaction,
  drop: DropRow,
  now: Date,
): Promise<boolean> {
  const { number, selected_at: selectedAt } = drop;
  await releaseEntries(transaction, { number, why: 'withdrawn', isOfLeavers: true });
  if (selectedAt === null) return true;
  const sinceMs = now.getTime() - selectedAt.getTime();
  await givePasses(transaction, number, now);
  const { held, capturing } = await countEntries({ kysely: transaction }, number);
  const isWaiting = capturing > 0 && sinceMs < RELEASE_AFTER_MS;
  // A capture that is refused passes its mask to the next card.
  if (held > 0 && !isWaiting) await releaseEntries(transaction, { number, why: 'not-drawn' });
  return held > 0 && isWaiting;
}

async function givePasses(transaction: Transaction, number: number, now: Date): Promise<void> {
  const wave = (await readLastWave(transaction, number)) + 1;
  for (;;) {
    const free = (await listSizes({ kysely: transaction })).filter(({ held }) => held > 0);
    const takers = await readNextEntrants(transaction, {
      ...{ number, sizes: free.map(({ name }) => name), among: 'held' },
      limit: sumHeld(free),
    });
    if (takers.length === 0) return;
    const offers = shareOut(takers, free).map(({ taker: { member_id, offer_id }, size }) => ({
      ...{ drop_number: number, member_id, size, wave, offered_at: now, expires_at: now },
      ...(offer_id !== null && { id: offer_id }),
    }));
    for (const offer of await insertOffers(transaction, offers)) {
      const code = await claimCode(transaction, offer);
      await updateOffer(transaction, offer.id, { state: 'accepted', code });
    }
  }
}
