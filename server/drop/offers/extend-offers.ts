import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { MINUTE_MS } from '../../durations.ts';
import { conflict } from '../../problem.ts';
import { changeOf, lockDropIn } from '../steps/drop-state.ts';
import { awakeFrom, describeEnd, timesUntil } from './offer-rules.ts';
import { readNow } from './offer-store.ts';
import { describeMinutes } from './start-offers.ts';
import { lockBegunOffers, moveTimes } from './times-store.ts';

type Kept = { readonly id: string; readonly expires_at: string; readonly until: string };
type Undo = { readonly number: number; readonly offers: readonly Kept[] };

const NOBODY = 'No open offer has begun that could be extended.';

export function openExtendOffers(language: string): Operation<'extend-offers'> {
  return {
    lock: 'sizes',
    async apply(transaction, { minutes, offer_id: id }) {
      const drop = await lockDropIn(transaction, 'offering');
      const { number, time_zone: timeZone } = drop;
      const offers = await lockBegunOffers(transaction, { number, ...(id && { id }) });
      if (offers.length === 0) throw conflict(NOBODY);
      const from = awakeFrom(await readNow({ kysely: transaction }), drop);
      const moved = offers.map(({ id: own, expires_at: end }) => {
        const later = new Date(end.getTime() + minutes * MINUTE_MS);
        return { id: own, ...timesUntil(later, { from, hours: drop }) };
      });
      await moveTimes(transaction, moved);
      const ends = moved.map(({ expires_at }) => expires_at).toSorted((a, b) => +a - +b);
      const endOf = (expiresAt: Date) => describeEnd({ expiresAt, timeZone }, language);
      const [first, last] = [ends[0], ends.at(-1)].map((end) => endOf(end as Date));
      const count = countOf(offers.length, 'open offer ends', 'open offers end');
      return changeOf(number, {
        sentences: [
          `${count} ${describeMinutes(minutes)} later: ` +
            `${first === last ? first : `the first ${first}, the last ${last}`}.`,
          'Their pages show it at once. It is mailed with the reminder, before the new end.',
        ],
        counts: { offers: offers.length },
        summary: `${countOf(offers.length, 'offer was', 'offers were')} extended.`,
        details: { minutes, offers: offers.length },
        undo: {
          number,
          offers: offers.map(({ id: own, expires_at }, index) => ({
            id: own,
            expires_at,
            until: moved[index]?.expires_at,
          })),
        },
      });
    },
    /** Leaves out offers that were answered, moved again, or reminded of the later end. */
    async undo(transaction, { number, offers }: Undo) {
      const drop = await lockDropIn(transaction, 'offering');
      const now = await readNow({ kysely: transaction });
      const open = new Map(
        (await lockBegunOffers(transaction, { number })).map((offer) => [offer.id, offer]),
      );
      const from = awakeFrom(now, drop);
      const back = offers.flatMap(({ id, expires_at, until }) => {
        const offer = open.get(id);
        const isUntouched = offer?.expires_at.toISOString() === until;
        if (!isUntouched || offer?.reminded_at || new Date(expires_at) <= now) return [];
        return [{ id, ...timesUntil(new Date(expires_at), { from, hours: drop }) }];
      });
      if (back.length === 0) throw conflict('No such offer is open and can end earlier again.');
      await moveTimes(transaction, back);
      return { summary: `${countOf(back.length, 'offer ends', 'offers end')} as before.` };
    },
  };
}
