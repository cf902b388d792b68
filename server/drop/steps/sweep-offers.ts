import type { Brand } from '../../../brand/brand-shape.ts';
import type { OwnerMailOptions } from '../../access/mail-owners.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Operation } from '../../changes/operation.ts';
import type { Database } from '../../db/database.ts';
import { mayAct } from '../../db/possible-copy.ts';
import type { DropRow } from '../../db/schema/feature-tables.ts';
import { inTransaction, type Transaction } from '../../db/transaction.ts';
import { MINUTE_MS } from '../../durations.ts';
import type { MailSending } from '../../line/mails/mail-kinds.ts';
import { queueMails } from '../../line/mails/store.ts';
import { conflict } from '../../problem.ts';
import { changeOf, lockDrop, lockDropIn, readNow, updateDrop } from '../drop-store.ts';
import { ALL_NOTIFIED, countRunnersUp, readNotifying, readRunnersUp } from '../entrant-store.ts';
import { makeWave } from '../offers/make-offers.ts';
import { pauseAfterLeap, resumeOffers } from '../offers/move-offers.ts';
import { isQuiet, timesFromMail } from '../offers/offer-rules.ts';
import { expireOffers, markReminded, readMailFlow, readSweep } from '../offers/offer-store.ts';
import { mailAbout } from '../offers/settle-offer.ts';
import { takeUntold } from '../till/checkout-store.ts';
import { giveToEntries } from '../till/entries.ts';

type SweepOptions = { readonly database: Database; readonly mail: MailSending };
type Options = SweepOptions &
  OwnerMailOptions & {
    readonly monotonic?: () => number;
  };

export const OFFERS_EVERY_MS = 1000;
/** A clock that was set, rather than two readings that a busy server took apart. */
const MAX_LEAP_MS = MINUTE_MS;
/** Entrants of a drop by card who are mailed in one transaction. */
const TOLD_AT_A_TIME = 500;

export function openOfferSweep({ monotonic = () => performance.now(), ...options }: Options) {
  const { database } = options;
  let last: { readonly clock: number; readonly at: number } | null = null;

  return async (): Promise<void> => {
    const { now, has_work: hasWork } = await readSweep(database);
    const reading = { clock: now.getTime(), at: monotonic() };
    const before = last ?? reading;
    last = reading;
    const leapMs = reading.clock - before.clock - (reading.at - before.at);
    if (!hasWork) return;
    if (Math.abs(leapMs) > MAX_LEAP_MS) {
      const pausedAt = new Date(before.clock);
      await pauseAfterLeap(options, { leapMs, pausedAt });
    } else await makeDueOffers(options);
  };
}

/** Makes offers and queues their mails in one transaction. Several servers may do so at once. */
export async function makeDueOffers({ database, mail }: SweepOptions): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const { made, reminded, runnersUp, entrants } = await makeOffers(transaction, mail);
    await mailAbout(transaction, 'offer', made);
    await mailAbout(transaction, 'offer-reminder', reminded);
    const notChosen = runnersUp.map((memberId) => ({ kind: 'not-chosen' as const, memberId }));
    await queueMails(transaction, notChosen);
    await queueMails(transaction, entrants);
  });
  mail.wake();
}

/** Does nothing while offering is paused, and makes no offers while no mail can leave. */
export async function makeOffers(
  transaction: Transaction,
  { reachesMembers }: Pick<MailSending, 'reachesMembers'> = { reachesMembers: true },
) {
  const nothing = { made: [], expired: [], reminded: [], runnersUp: [], entrants: [] };
  const drop = await lockDrop(transaction);
  if (drop.paused_by === 'copy' && (await mayAct({ kysely: transaction })))
    await resumeOffers(transaction, drop);
  if (drop.paused_at !== null) return nothing;
  const now = await readNow({ kysely: transaction });
  await updateDrop(transaction, drop.number, { swept_at: now });
  const expired = await expireOffers(transaction, now);
  const isEntered = drop.enter_until !== null && drop.state !== 'open' && drop.state !== 'closed';
  const isGiving = isEntered && (await giveToEntries(transaction, drop, now));
  if (isQuiet(now, drop)) return { ...nothing, expired };
  const reminded = await markReminded(transaction, now);
  const { is_down: isDown } = await readMailFlow({ kysely: transaction });
  const isMaking = reachesMembers && !isDown && drop.state === 'offering' && !isGiving;
  const made = isMaking ? await offerMasks(transaction, drop, now) : [];
  const entrants = isEntered ? await takeEntrants(transaction) : [];
  return { made, expired, reminded, entrants, runnersUp: await takeRunnersUp(transaction) };
}

async function offerMasks(transaction: Transaction, drop: DropRow, now: Date) {
  const { number: drop_number, enter_until: until } = drop;
  const { expires_at } = timesFromMail(now, drop);
  const among = until === null ? 'all' : 'entered';
  return await makeWave(transaction, { drop_number, offered_at: now, expires_at, among });
}

async function takeEntrants(transaction: Transaction) {
  const mails = [];
  for (const kind of ['enter', 'enter-reminder'] as const)
    for (const memberId of await takeUntold(transaction, kind, TOLD_AT_A_TIME))
      mails.push({ kind, memberId });
  return mails;
}

/** Joins wait for as long as the mails of one part take to queue. */
const AT_A_TIME = 500;

async function takeRunnersUp(transaction: Transaction): Promise<string[]> {
  const notifying = await readNotifying(transaction);
  if (notifying === null) return [];
  const members = await readRunnersUp(transaction, notifying, AT_A_TIME);
  const last = members.length < AT_A_TIME ? undefined : members.at(-1);
  const others_told_until = last === undefined ? ALL_NOTIFIED : last.sequence + 1;
  await updateDrop(transaction, notifying.number, { others_told_until });
  return members.map(({ id }) => id);
}

export function openNotifyRunnersUp({ mails }: Pick<Brand, 'mails'>): Operation<'tell-others'> {
  return {
    isForOwners: true,
    lock: 'sizes',
    async apply(transaction) {
      if (!mails['not-chosen'].isOn)
        throw conflict('The mail "not-chosen" is switched off in brand.ts.');
      const drop = await lockDropIn(transaction, 'offering', 'closed');
      const { number, frozen_at, offering_at } = drop;
      if (offering_at === null || frozen_at === null)
        throw conflict(`No mask of drop ${number} was offered to anybody.`);
      if (drop.others_told_until !== null)
        throw conflict(`Everybody else was told about drop ${number} already.`);
      const count = await countRunnersUp(transaction, { number, frozen_at });
      await updateDrop(transaction, number, { others_told_until: 0 });
      const members = countOf(count, 'member is', 'members are');
      return changeOf(number, {
        sentences: [
          `${members} mailed that no mask came to them: ` +
            'all who joined before the freeze, have confirmed their address and were offered ' +
            'none, without holders of an earlier mask who were left out.',
          'Masks that come back later are offered to them all the same.',
        ],
        counts: { mails: count },
        summary: `${members} told about drop ${number}.`,
        details: { others: count },
      });
    },
  };
}
