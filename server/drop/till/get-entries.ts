import { entryWords } from '../../../brand/entry-words.ts';
import type { DropWords, EntryView } from '../../../contract/drop/drop-views.ts';
import type { Database, Reader } from '../../db/database.ts';
import { describeCost, describeEnd } from '../offers/offer-rules.ts';
import { costOf, readChosen } from './account-store.ts';
import { readStandings, type Standing } from './checkout-store.ts';
import { mayEnter } from './entry-rules.ts';

/** The mail whose link acts on an entry; null if there is nothing to act on. */
export async function entryMailOf(
  reader: Reader,
  memberId: string,
): Promise<'enter' | 'entered' | null> {
  const standing = await readStanding(reader, memberId);
  if (standing === null || standing.drop_state !== 'frozen') return null;
  return standing.state === 'held' ? 'entered' : 'enter';
}

export async function readStanding(reader: Reader, memberId: string): Promise<Standing | null> {
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
