import type { Database } from '../../db/database.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { MINUTE_MS } from '../../durations.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import type { Mail } from '../../notifications/open-mail.ts';
import { lockDrop } from '../steps/drop-state.ts';
import type { DropRow } from '../steps/drop-store.ts';
import { sumHeld } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';
import { takeRunnersUp } from './notify-runners-up.ts';
import { isQuiet, shareOut } from './offer-rules.ts';
import {
  expireOffers,
  hasWork,
  insertOffers,
  markReminded,
  type OfferRow,
  readLastWave,
  readNextEntrants,
  readNow,
} from './offer-store.ts';
import { mailAbout } from './settle-offer.ts';

type Options = { readonly database: Database; readonly mail: Pick<Mail, 'wake'> };

/** Makes offers and queues their mails in one transaction. Several servers may do so at once. */
export async function makeDueOffers({ database, mail }: Options): Promise<void> {
  if (!(await hasWork(database))) return;
  await inTransaction(database, async (transaction) => {
    const { made, reminded, runnersUp } = await makeOffers(transaction);
    await queueMails(transaction, [
      ...made.map((offer) => mailAbout('offer', offer)),
      ...reminded.map((offer) => mailAbout('offer-reminder', offer)),
      ...runnersUp.map((memberId) => ({ kind: 'not-chosen' as const, memberId })),
    ]);
  });
  mail.wake();
}

/**
 * Ends offers whose time is over and, outside the quiet hours, offers free masks to the next in the
 * draw order and returns the offers for which a reminder is due. `runnersUp` are member ids.
 */
export async function makeOffers(transaction: Transaction) {
  const drop = await lockDrop(transaction);
  const now = await readNow({ kysely: transaction });
  const expired = await expireOffers(transaction, now);
  if (isQuiet(now, drop)) return { made: [], expired, reminded: [], runnersUp: [] };
  const reminded = await markReminded(transaction, now);
  const made = drop.state === 'offering' ? await makeWave(transaction, drop, now) : [];
  return { made, expired, reminded, runnersUp: await takeRunnersUp(transaction) };
}

async function makeWave(transaction: Transaction, drop: DropRow, now: Date): Promise<OfferRow[]> {
  const { number, offer_minutes: minutes } = drop;
  const wave = (await readLastWave(transaction, number)) + 1;
  const expiresAt = new Date(now.getTime() + minutes * MINUTE_MS);
  const made: OfferRow[] = [];
  for (;;) {
    const free = (await listSizes({ kysely: transaction })).filter(({ held }) => held > 0);
    if (free.length === 0) return made;
    const takers = await readNextEntrants(transaction, {
      number,
      sizes: free.map(({ name }) => name),
      limit: sumHeld(free),
    });
    if (takers.length === 0) return made;
    const offers = shareOut(takers, free).map(({ taker, size }) => ({
      drop_number: number,
      member_id: taker.member_id,
      size,
      wave,
      offered_at: now,
      expires_at: expiresAt,
    }));
    made.push(...(await insertOffers(transaction, offers)));
  }
}
