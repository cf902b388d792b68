import { recordAudit } from '../../access/audit/record-audit.ts';
import { mailOwners, type OwnerMailOptions } from '../../access/mail-owners.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import { mayAct } from '../../db/possible-copy.ts';
import type { DropRow, OfferRow } from '../../db/schema/feature-tables.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { MINUTE_MS } from '../../durations.ts';
import { conflict } from '../../problem.ts';
import { changeOf, dropSubject, lockDrop, lockDropIn, readNow, updateDrop } from '../drop-store.ts';
import { awakeFrom, describeEnd, describeMinutes, timesFrom, timesUntil } from './offer-rules.ts';
import { lockBegunOffers, moveTimes } from './offer-store.ts';

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

export const pauseOffersOperation: Operation<'pause-offers'> = {
  lock: 'sizes',
  async apply(transaction) {
    const { number, paused_at: pausedAt } = await lockDropIn(transaction, 'offering');
    if (pausedAt !== null) throw conflict('Offering is paused already.');
    const at = await readNow({ kysely: transaction });
    await updateDrop(transaction, number, { paused_at: at, paused_by: 'operator' });
    return changeOf(number, {
      sentences: [
        'No mask is offered, nobody is reminded, and no open offer ends.',
        'Members can still answer. Their time goes on when you resume.',
      ],
      summary: `Offering the masks of drop ${number} was paused.`,
      undo: { number },
    });
  },
  async undo(transaction, { number }: { readonly number: number }) {
    const drop = await lockDropIn(transaction, 'offering');
    if (drop.number !== number || drop.paused_by !== 'operator')
      throw conflict('Offering is not paused any more.');
    await resumeOffers(transaction, drop);
    return { summary: `Offering the masks of drop ${number} goes on.` };
  },
};

export const resumeOffersOperation: Operation<'resume-offers'> = {
  lock: 'sizes',
  async apply(transaction) {
    const drop = await lockDropIn(transaction, 'offering');
    if (drop.paused_at === null) throw conflict('Offering is not paused.');
    if (!(await mayAct({ kysely: transaction })))
      throw conflict('This line may be a copy: an owner says first that it is the line.');
    const open = await resumeOffers(transaction, drop);
    return changeOf(drop.number, {
      sentences: [
        'Masks are offered and offers end again.',
        `${countOf(open, 'open offer gets', 'open offers get')} back the time since the ` +
          'pause. None ends in quiet hours.',
      ],
      counts: { offers: open },
      summary: `Offering the masks of drop ${drop.number} was resumed.`,
      details: { paused_at: drop.paused_at, paused_by: drop.paused_by },
    });
  },
};

/** Gives open offers back the time since the pause. Returns how many. */
export async function resumeOffers(transaction: Transaction, drop: DropRow): Promise<number> {
  const { number } = drop;
  const now = await readNow({ kysely: transaction });
  const offers = await lockBegunOffers(transaction, { number });
  await moveTimes(
    transaction,
    offers.map((offer) => ({ id: offer.id, ...timesAfterPause(offer, { drop, now }) })),
  );
  await updateDrop(transaction, number, { paused_at: null, paused_by: null, swept_at: now });
  return offers.length;
}

/** What was left at the pause is left now; all of it, where the mail was handed over meanwhile. */
function timesAfterPause(
  { mailed_at: mailedAt, expires_at: end }: OfferRow,
  { drop, now }: { readonly drop: DropRow; readonly now: Date },
) {
  const pausedAt = drop.paused_at ?? now;
  if (mailedAt !== null && mailedAt > pausedAt) return timesFrom(now, drop);
  const from = awakeFrom(now, drop);
  const leftMs = Math.max(0, end.getTime() - pausedAt.getTime());
  return timesUntil(new Date(from.getTime() + leftMs), { from, hours: drop });
}

type Leap = { readonly leapMs: number; readonly pausedAt: Date };

export async function pauseAfterLeap(
  options: OwnerMailOptions,
  { leapMs, pausedAt }: Leap,
): Promise<void> {
  const leap =
    `The clock of the database leapt ${leapMs > 0 ? 'forward' : 'back'} by ` +
    countOf(Math.round(Math.abs(leapMs) / MINUTE_MS), 'minute');
  const isPaused = await inTransaction(options.database, async (transaction) => {
    const { number, state, paused_at } = await lockDrop(transaction);
    if (state !== 'offering' || paused_at !== null) return false;
    await updateDrop(transaction, number, { paused_at: pausedAt, paused_by: 'clock' });
    await recordAudit(transaction, {
      actor: { kind: 'system', id: null, name: 'offers' },
      action: 'pause-offers',
      subject: dropSubject(number),
      reason: leap,
      details: { summary: `Offering the masks of drop ${number} was paused.`, leap_ms: leapMs },
    });
    return true;
  });
  if (isPaused)
    await mailOwners(options, {
      subject: 'offering is paused',
      before: `${leap}, so no mask is offered and no offer ends until somebody looks.`,
      after: 'Set the clock right, and then resume. Each offer has the time left that it had.',
    });
}
