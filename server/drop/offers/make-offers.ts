import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { OfferRow } from '../../db/schema/feature-tables.ts';
import type { Transaction } from '../../db/transaction.ts';
import { getChanging } from '../../line/changes/change-store.ts';
import type { MailSending } from '../../line/mails/mail-kinds.ts';
import { NO_MAIL_SERVER } from '../../mail/delivery/mail-stop-rules.ts';
import { conflict } from '../../problem.ts';
import { lockDropIn, readNow } from '../drop-store.ts';
import { readEntrantOf, readNextEntrants } from '../entrant-store.ts';
import { sumHeld } from '../stock/size-rules.ts';
import { listSizes } from '../stock/store.ts';
import { shareOut, timesFromMail } from './offer-rules.ts';
import { hasPass, insertOffers, readLastWave } from './offer-store.ts';
import { mailAbout } from './settle-offer.ts';

type Among = Parameters<typeof readNextEntrants>[1]['among'];
type Terms = Pick<OfferRow, 'drop_number' | 'wave' | 'offered_at' | 'expires_at'>;

/** Offers free masks along the draw order, until no mask or nobody who takes one is left. */
export async function makeWave(
  transaction: Transaction,
  { among, ...terms }: Omit<Terms, 'wave'> & { readonly among: Among },
): Promise<OfferRow[]> {
  const { drop_number: number } = terms;
  const wave = (await readLastWave(transaction, number)) + 1;
  const made: OfferRow[] = [];
  for (;;) {
    const free = (await listSizes({ kysely: transaction })).filter(({ held }) => held > 0);
    if (free.length === 0) return made;
    const takers = await readNextEntrants(transaction, {
      number,
      among,
      sizes: free.map(({ name }) => name),
      limit: sumHeld(free),
    });
    if (takers.length === 0) return made;
    const offers = shareOut(takers, free).map(({ taker: { member_id, offer_id }, size }) => {
      const offer = { ...terms, wave, member_id, size };
      // The entry whose card holds the price names its offer.
      return among === 'held' && offer_id !== null ? { ...offer, id: offer_id } : offer;
    });
    made.push(...(await insertOffers(transaction, offers)));
  }
}

export function openOfferMask(mail: MailSending): Operation<'offer-mask'> {
  return {
    isForOwners: true,
    lock: 'line',
    async apply(transaction, { member_id: memberId }) {
      if (!mail.reachesMembers) throw conflict(NO_MAIL_SERVER);
      const { id: member_id, email } = await getChanging(transaction, memberId);
      const drop = await lockDropIn(transaction, 'offering');
      const { number: drop_number } = drop;
      const entrant = await readEntrantOf(transaction, { drop_number, member_id });
      if (entrant === null)
        throw conflict(`This member is not in the draw of drop ${drop_number}.`);
      if (await hasPass(transaction, { drop_number, member_id }))
        throw conflict('This member has an open offer or a pass.');
      const free = (await listSizes({ kysely: transaction })).filter(
        (candidate) => candidate.held > 0,
      );
      const [shared] = shareOut([entrant], free);
      if (shared === undefined) throw conflict('No mask is left in a size that this member takes.');
      const { size } = shared;
      const wave = Math.max(1, await readLastWave(transaction, drop_number));
      const now = await readNow({ kysely: transaction });
      const { expires_at } = timesFromMail(now, drop);
      const offer = { drop_number, member_id, size, wave, offered_at: now, expires_at };
      const made = await insertOffers(transaction, [offer]);
      await mailAbout(transaction, 'offer', made);
      const { draw_order, waiting_before: before } = entrant;
      return {
        sentences: [
          `${email} is offered a mask of size ${size}, number ${draw_order} in the draw order.`,
          before === 0
            ? 'Nobody before them waits for an offer.'
            : `${countOf(before, 'member', 'members')} before them ` +
              `${before === 1 ? 'has' : 'have'} had no offer yet, and one mask less is left.`,
          'The mail leaves at once, also in quiet hours: this cannot be undone.',
        ],
        counts: { offers: 1, waiting_before: before },
        summary: `A member was offered a mask of size ${size} by hand.`,
        subject: { kind: 'member', id: member_id },
        details: { size, draw_order, waiting_before: before },
        afterCommit: async () => mail.wake(),
      };
    },
  };
}
