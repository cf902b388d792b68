/** The token of the link in the mail: read out of the address once, and kept for this tab. */
import { offerPath, pagePaths } from '../../../../contract/paths.ts';

/** Where the browser refuses storage. */
const kept = new Map<string, string>();

const keyOf = (memberId: string) => `waitlist.offer.${memberId}`;

/** Removed from the address, so that nobody shares it with the page. Null without one. */
export function takeOfferToken(memberId: string): string | null {
  const prefix = offerPath(memberId, '').slice(pagePaths.status(memberId).length);
  if (location.hash.startsWith(prefix)) {
    const token = location.hash.slice(prefix.length);
    history.replaceState(history.state, '', location.pathname + location.search);
    kept.set(memberId, token);
    try {
      sessionStorage.setItem(keyOf(memberId), token);
    } catch {
      // Kept until the page is left.
    }
  }
  return kept.get(memberId) ?? readStored(memberId);
}

export function forgetOfferToken(memberId: string): void {
  kept.delete(memberId);
  try {
    sessionStorage.removeItem(keyOf(memberId));
  } catch {
    // It was never stored.
  }
}

function readStored(memberId: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(memberId));
  } catch {
    return null;
  }
}
