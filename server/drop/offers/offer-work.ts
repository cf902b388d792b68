/** Offers that the server makes by itself, with their mails. */
import type { Database } from '../../db/database.ts';
import { queueMails } from '../../notifications/delivery/queue.ts';
import type { Mail } from '../../notifications/open-mail.ts';
import { sweepOffers } from './make-offers.ts';
import { mailAbout } from './offer-mails.ts';

type Options = { readonly database: Database; readonly mail: Pick<Mail, 'wake'> };

/** Makes, ends and reminds of offers; the mails are queued in the same transaction. */
export async function makeDueOffers({ database, mail }: Options): Promise<void> {
  const round = await sweepOffers(database, async (transaction, { made, reminded, others }) => {
    const mails = [
      ...made.map((offer) => mailAbout('offer', offer)),
      ...reminded.map((offer) => mailAbout('offer-reminder', offer)),
      ...others.map((memberId) => ({ kind: 'not-chosen' as const, memberId })),
    ];
    if (mails.length > 0) await queueMails(transaction, mails);
  });
  if (round !== null) mail.wake();
}
