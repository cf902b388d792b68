/** Mails about offers, what becomes of them, and entries by card. */
import type { OfferMailKind } from '../../../brand/mail-shape.ts';
import type { OfferState } from '../../../contract/drop/states.ts';
import type { Database } from '../../db/database.ts';
import type { Composing, MailKindOf, MailRequest } from '../../line/mails/mail-kinds.ts';
import { readReach } from '../entrant-store.ts';
import { describeCost, describeEnd, timesFromMail } from '../offers/offer-rules.ts';
import { beginTimes, readOffersById } from '../offers/offer-store.ts';
import { costOf, readChosen, tellsUnpaid } from '../till/account-store.ts';
import { readStandings } from '../till/checkout-store.ts';
import { mayEnter } from '../till/entry-rules.ts';

type OfferMail = MailRequest & { readonly offerId: string; readonly note?: string };
type OfferKind = MailKindOf<OfferMail, MailedOffer | null>;
export type MailedOffer = NonNullable<Awaited<ReturnType<typeof loadOffers>>[number]>;

export async function loadOffers(
  database: Database,
  requests: readonly Pick<OfferMail, 'offerId'>[],
) {
  const ids = requests.map(({ offerId }) => offerId);
  const rows = new Map((await readOffersById(database, ids)).map((row) => [row.id, row]));
  const till = await readChosen(database);
  return ids.map((id) => {
    const row = rows.get(id);
    if (row === undefined) return null;
    const { state, size, time_zone: timeZone, carrier, tracking } = row;
    // The times begin with this mail, unless an earlier one began them.
    const times = row.mailed_at === null ? timesFromMail(row.now, row) : null;
    // A pass ends when it can be paid no longer, if passes end by themselves.
    const expiresAt = row.pay_by ?? (times ?? row).expires_at;
    const payHours = tellsUnpaid(till) ? row.pay_hours : null;
    const terms = { cost: costOf(till, row), payHours, needsCode: till.kind === 'link' };
    return { state, size, expiresAt, timeZone, carrier, tracking, times, ...terms };
  });
}

/** A mail that is given up begins the time, too, so that the mask goes on. */
const beginOffers: NonNullable<OfferKind['settle']> = async (
  database,
  mails,
  { reachesMembers },
) => {
  const begun = mails.flatMap(({ request, loaded }) =>
    loaded?.times ? [{ id: request.offerId, ...loaded.times }] : [],
  );
  if (reachesMembers && begun.length > 0) await beginTimes(database, begun);
};

/**
 * True of an offer in this state alone. Waits for as long as the mail server does not answer about
 * it, and so does the mask.
 */
function offerMail(state: OfferState, leadsTo?: 'offer' | 'address'): OfferKind {
  return {
    isOwed: true,
    isPatient: true,
    isAboutDrop: true,
    load: loadOffers,
    settle: beginOffers,
    compose({ request: { kind, note = '' }, loaded: offer, links, brand: { language } }) {
      if (offer?.state !== state) return null;
      const { size, cost, payHours, needsCode, carrier, tracking } = offer;
      const until = describeEnd(offer, language);
      const price = cost && describeCost(cost, language);
      const terms =
        state === 'accepted'
          ? { price, needsCode, payHours: null, payBy: payHours === null ? null : until }
          : { price, needsCode, payHours, payBy: null };
      return {
        kind,
        values: { size, until, note, carrier: carrier ?? '', tracking: tracking ?? '' },
        terms,
        ...(leadsTo && { action: leadsTo === 'offer' ? links.offer : links.reward('mask') }),
      };
    },
  };
}

const offerMails: Readonly<Record<OfferMailKind, OfferKind>> = {
  offer: offerMail('open', 'offer'),
  'offer-reminder': offerMail('open', 'offer'),
  pass: offerMail('accepted', 'offer'),
  'pass-paid': offerMail('paid', 'offer'),
  'pay-reminder': offerMail('accepted', 'offer'),
  'pass-unpaid': offerMail('cancelled'),
  'pass-cancelled': offerMail('cancelled'),
  'mask-address': offerMail('paid', 'address'),
  'mask-sent': offerMail('sent'),
  'offer-ended': offerMail('expired'),
};

export type MailedEntry = NonNullable<Awaited<ReturnType<typeof loadEntries>>[number]>;

async function loadEntries(database: Database, requests: readonly MailRequest[]) {
  const till = await readChosen(database);
  const ids = requests.map(({ memberId }) => memberId);
  const standings = await readStandings(database, ids);
  return ids.map((id) => {
    const standing = standings.get(id);
    if (standing === undefined) return null;
    const { state, why, enter_until: expiresAt, time_zone: timeZone } = standing;
    const cost = costOf(till, standing);
    return { state, why, expiresAt, timeZone, cost, mayEnter: mayEnter(standing) };
  });
}

function entryMail(isTrue: (entry: MailedEntry) => boolean) {
  return {
    isOwed: true,
    isAboutDrop: true,
    load: loadEntries,
    compose({ request, loaded: entry, links, brand }: Composing<MailRequest, MailedEntry | null>) {
      if (entry === null || !isTrue(entry)) return null;
      const { why, cost } = entry;
      const { again, ...reasons } = brand.mails.entryReasons;
      const reason = why === null || why === 'withdrawn' ? '' : reasons[why];
      const values = {
        price: cost === null ? '' : describeCost(cost, brand.language),
        until: describeEnd(entry, brand.language),
        reason: entry.mayEnter ? `${reason} ${again}` : reason,
      };
      return { kind: request.kind, values, action: links.offer };
    },
  };
}

const enter = entryMail((entry) => entry.mayEnter || entry.state === 'created');

const entryMails = {
  enter,
  'enter-reminder': { ...enter, isOwed: false },
  entered: entryMail(({ state }) => state === 'held'),
  'entry-over': entryMail(
    ({ state, why }) => state === 'released' && why !== null && why !== 'withdrawn',
  ),
};

/** What is loaded: whether a mask that nobody takes may still come to the member. */
const notChosen: MailKindOf<MailRequest, boolean> = {
  isAboutDrop: true,
  async load(database, requests) {
    const ids = requests.map(({ memberId }) => memberId);
    const reach = await readReach(database, ids);
    const returning = new Set(reach.flatMap((one) => (one.canReturn ? [one.memberId] : [])));
    return ids.map((id) => returning.has(id));
  },
  compose: ({ loaded: canReturn, recipient: { position } }) => ({
    kind: 'not-chosen',
    form: canReturn ? 'waiting' : 'over',
    values: { position },
  }),
};

export const dropMails = { ...offerMails, ...entryMails, 'not-chosen': notChosen };
