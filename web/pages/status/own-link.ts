import { fillPath, OWN_MARKS, offerPath, pagePaths } from '../../../contract/paths.ts';
import { tabMemory } from '../../browser/tab-memory.ts';

type OwnMark = keyof typeof OWN_MARKS;

let hasOfferLink = false;
let isOfferNew = false;

/** Whether the link of an offer was opened. Call before its token is taken out of the address. */
export function noteOfferLink(): boolean {
  if (location.hash.startsWith('#offer=')) {
    hasOfferLink = true;
    isOfferNew = true;
  }
  return hasOfferLink;
}

/** How the member in person has come here, once; null for anybody else. */
export function takeOwnMark(): OwnMark | null {
  const mark = (['joined', 'mine'] as const).find((name) => location.hash === OWN_MARKS[name]);
  if (mark) removeHash();
  const taken = mark ?? (isOfferNew ? 'mine' : null);
  isOfferNew = false;
  return taken;
}

const keyOf = (memberId: string) => `waitlist.offer.${memberId}`;

export function takeOfferToken(memberId: string): string | null {
  const prefix = offerPath(memberId, '').slice(fillPath(pagePaths.status, memberId).length);
  if (location.hash.startsWith(prefix)) {
    tabMemory.write(keyOf(memberId), location.hash.slice(prefix.length));
    removeHash();
  }
  return tabMemory.read(keyOf(memberId));
}

export function forgetOfferToken(memberId: string): void {
  tabMemory.write(keyOf(memberId), null);
}

/** The address that is left identifies nobody, whoever gets it. */
function removeHash(): void {
  history.replaceState(history.state, '', location.pathname + location.search);
}
