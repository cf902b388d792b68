import {
  confirmingPath,
  fillPath,
  OWN_MARKS,
  offerPath,
  pagePaths,
  WAS,
} from '../../../contract/paths.ts';
import { tabMemory } from '../../ui/browser-memory.ts';

type OwnMark = keyof typeof OWN_MARKS;

let hasOfferLink = false;
let isLinkNew = false;

/** Whether the link of an offer was opened. Call before a token is taken out of the address. */
export function noteMailLink(): boolean {
  const isOffer = location.hash.startsWith('#offer=');
  if (isOffer) hasOfferLink = true;
  if (isOffer || location.hash.startsWith('#confirm=')) isLinkNew = true;
  return hasOfferLink;
}

/** Returns the mark of a member's own link at the first call; null afterwards or without one. */
export function takeOwnMark(): OwnMark | null {
  const mark = (['joined', 'mine'] as const).find((name) => readMark() === OWN_MARKS[name]);
  if (mark) removeHash();
  const taken = mark ?? (isLinkNew ? 'mine' : null);
  isLinkNew = false;
  return taken;
}

/** Standing before the friends of a mail. Null where the line never had that place. */
export function readMailedStanding(total: number) {
  const [, was = ''] = location.hash.split(WAS);
  const [, position, count] = /^([1-9]\d{0,8})\.(\d{1,8})$/.exec(was) ?? [];
  const standing = { position: Number(position), referral_count: Number(count) };
  return standing.position <= total ? standing : null;
}

const readMark = () => location.hash.split(WAS)[0] ?? '';

/** The token of a mail's link, which this tab keeps. */
function ownToken(name: string, pathOf: typeof offerPath) {
  const keyOf = (memberId: string) => `waitlist.${name}.${memberId}`;
  return {
    takeFor(memberId: string): string | null {
      const prefix = pathOf(memberId, '').slice(fillPath(pagePaths.status, memberId).length);
      const mark = readMark();
      if (mark.startsWith(prefix)) {
        tabMemory.write(keyOf(memberId), mark.slice(prefix.length));
        removeHash();
      }
      return tabMemory.read(keyOf(memberId));
    },
    forgetFor: (memberId: string) => tabMemory.write(keyOf(memberId), null),
  };
}

export const offerToken = ownToken('offer', offerPath);
export const confirmToken = ownToken('confirm', confirmingPath);

/** The address that is left identifies nobody, whoever gets it. */
function removeHash(): void {
  history.replaceState(history.state, '', location.pathname + location.search);
}
