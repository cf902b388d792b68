import { entryWords } from '../../../brand/entry-words.ts';
import type { DropWords, EntryView } from '../../../contract/drop/drop-views.ts';
import { countOf } from '../../changes/count-words.ts';
import type { Database, Reader } from '../../db/database.ts';
import type { DropRow } from '../../db/schema/feature-tables.ts';
import { lock, type Transaction } from '../../db/transaction.ts';
import { conflict, Problem } from '../../problem.ts';
import { noteEntered, readEntered } from '../entrant-store.ts';
import { makeWave } from '../offers/make-offers.ts';
import { describeCost, describeEnd } from '../offers/offer-rules.ts';
import { updateOffer } from '../offers/offer-store.ts';
import { claimCode } from '../stock/codes.ts';
import { costOf, readChosen } from './account-store.ts';
import {
  countEntries,
  readStandings,
  releaseEntries,
  type Standing,
  upsertEntry,
} from './checkout-store.ts';
import { mayEnter, RELEASE_AFTER_MS, WAIT_FOR_LATE_MS } from './entry-rules.ts';

/** What a member does by the link in the mail. Idempotent; throws Problem. */
export async function enterDrop(transaction: Transaction, memberId: string): Promise<void> {
  await lock(transaction, 'sizes');
  const standing = await readStanding({ kysely: transaction }, memberId);
  if (standing === null) throw new Problem('not_found', 'There is no drop that you can enter.');
  if (mayEnter(standing)) return await upsertEntry(transaction, standing);
  if (standing.state === 'releasing')
    throw conflict('Your card is being released. Please try again in a minute.');
  const isIn = standing.state !== null && standing.state !== 'released';
  if (!isIn) throw conflict('The time to enter is over.');
}

export async function withdrawEntry(transaction: Transaction, memberId: string): Promise<void> {
  await lock(transaction, 'sizes');
  const standing = await readStanding({ kysely: transaction }, memberId);
  if (standing === null) throw new Problem('not_found', 'You have not entered a drop.');
  if (standing.has_pass) throw conflict('You are drawn: the mask is yours.');
  await releaseEntries(transaction, { number: standing.number, why: 'withdrawn', memberId });
}

/** Fixes who takes part, before anybody can know the randomness; empty where all do. */
export async function closeWindow(
  transaction: Transaction,
  drop: DropRow,
  now: Date,
): ReturnType<typeof readEntered> {
  const { number, enter_until: until } = drop;
  if (until === null) return {};
  if (now < until)
    throw conflict('Members can still enter by card: announce the draw after that time.');
  const { entering } = await countEntries({ kysely: transaction }, number);
  if (entering > 0 && now.getTime() < until.getTime() + WAIT_FOR_LATE_MS)
    throw conflict(
      `${countOf(entering, 'checkout is', 'checkouts are')} being ended: announce the draw in ` +
        'some minutes.',
    );
  await noteEntered(transaction, number);
  return await readEntered({ kysely: transaction }, drop);
}

/**
 * After the draw, masks go along its order to those whose card holds the price. Returns whether
 * cards may still get masks, so that nobody is offered one yet.
 */
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

async function givePasses(transaction: Transaction, drop_number: number, now: Date): Promise<void> {
  const terms = { drop_number, offered_at: now, expires_at: now, among: 'held' } as const;
  for (const offer of await makeWave(transaction, terms)) {
    const code = await claimCode(transaction, offer);
    await updateOffer(transaction, offer.id, { state: 'accepted', code });
  }
}

/** The mail whose link acts on an entry; null if there is nothing to act on. */
export async function entryMailOf(
  reader: Reader,
  memberId: string,
): Promise<'enter' | 'entered' | null> {
  const standing = await readStanding(reader, memberId);
  if (standing === null || standing.drop_state !== 'frozen') return null;
  return standing.state === 'held' ? 'entered' : 'enter';
}

async function readStanding(reader: Reader, memberId: string): Promise<Standing | null> {
  return (await readStandings(reader, [memberId])).get(memberId) ?? null;
}

export async function viewEntry(
  database: Database,
  memberId: string,
  language: string,
): Promise<{ readonly entry: EntryView; readonly words: DropWords } | null> {
  const standing = await readStanding(database, memberId);
  if (standing === null || standing.has_pass) return null;
  const { enter_until: expiresAt, state, why, drop_state, time_zone: timeZone } = standing;
  if (drop_state === 'open' || drop_state === 'closed') return null;
  const cost = costOf(await readChosen(database), standing);
  const entry = {
    state,
    why,
    may_enter: mayEnter(standing),
    until: expiresAt.toISOString(),
    price: cost && describeCost(cost, language),
  };
  const time = describeEnd({ expiresAt, timeZone }, language);
  return { entry, words: entryWords(entry, { isDrawn: drop_state !== 'frozen', time }) };
}

/** Null until the checkout of the entry is made, and once the card is entered. */
export async function readEntryLink(reader: Reader, memberId: string): Promise<string | null> {
  const standing = await readStanding(reader, memberId);
  return standing?.state === 'created' && standing.why === null ? standing.link : null;
}
