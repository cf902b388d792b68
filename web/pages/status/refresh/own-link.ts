/** What the address says about who opens the page. */
import { OWN_MARKS } from '../../../../contract/paths.ts';

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

/** How the member in person has come here, told once; null for anybody else. */
export function takeOwnMark(): OwnMark | null {
  const mark = (['joined', 'mine'] as const).find((name) => location.hash === OWN_MARKS[name]);
  // Whoever is sent the address that is left is not taken for the member.
  if (mark) history.replaceState(history.state, '', location.pathname + location.search);
  const taken = mark ?? (isOfferNew ? 'mine' : null);
  isOfferNew = false;
  return taken;
}
