/** Whom a change mails, and how long such mails wait: an undo within the hour takes them along. */
import type { Brand } from '../../brand/brand-shape.ts';
import { countOf } from '../changes/count-words.ts';
import type { MailWatch } from '../changes/operation.ts';
import { getNextFreeze } from '../drop/schedule/schedule.ts';
import { findUnmailed } from '../mail/suppression/store.ts';
import { decideCreditMails, decideTop100Mail } from './notification-rules.ts';
import {
  findTop100Changes,
  postponeCredits,
  postponeTop100,
  readCreditedSince,
  readSequences,
} from './store.ts';

type MailOptions = { readonly brand: Pick<Brand, 'mails' | 'tiers' | 'maskCount'> };

type Mailed = { readonly email: string; readonly what: string };

const MAX_NAMED = 10;

export function openMailWatch({ brand }: MailOptions): MailWatch {
  return async (transaction, { movesLine }) => {
    const isOpen = async () => (await getNextFreeze({ kysely: transaction })).state === 'open';
    const readTop100 = async () => {
      if (!movesLine || !(await isOpen())) return [];
      const { last } = await readSequences(transaction);
      return await findTop100Changes(transaction, { maskCount: brand.maskCount, newFrom: last });
    };
    const known = new Set((await readTop100()).map(({ memberId }) => memberId));

    return async ({ hasUndo }) => {
      const now = new Date();
      const moved = (await readTop100()).filter(({ memberId }) => !known.has(memberId));
      const credited = await readCreditedSince(transaction);
      if (hasUndo) {
        await postponeTop100(transaction, moved);
        await postponeCredits(transaction, credited);
      }
      const later: Mailed[] = [];
      const top = `in the top ${brand.maskCount}`;
      const ids = [...moved, ...credited].map(({ memberId }) => memberId);
      const unmailed = await findUnmailed(transaction, ids);
      const isMailed = ({ memberId }: { memberId: string }) => !unmailed.has(memberId);
      for (const { email, ...change } of moved.filter(isMailed))
        if (brand.mails.top100.isOn && decideTop100Mail({ ...change, dueAt: null }, now) === 'mail')
          later.push({ email, what: `that they are ${change.isInside ? '' : 'no longer '}${top}` });
      for (const { email, ...state } of credited.filter(isMailed)) {
        const { newFriends, tierLevel } = decideCreditMails(brand.tiers, { ...state, now });
        if (newFriends !== null && brand.mails.friends.isOn)
          later.push({ email, what: 'about new friends' });
        if (tierLevel !== null && brand.mails.tier.isOn)
          later.push({ email, what: 'about a new tier' });
      }
      const when = hasUndo ? ' in an hour, unless this is undone before' : ' within a minute';
      return describe(later, when);
    };
  };
}

function describe(mailed: readonly Mailed[], when: string): string[] {
  const groups = Map.groupBy(mailed, ({ what }) => what);
  return [...groups].map(([what, members]) => {
    const named = members.slice(0, MAX_NAMED).map(({ email }) => email);
    const others = members.length - named.length;
    if (others > 0) named.push(countOf(others, 'other'));
    const mailed = countOf(members.length, 'member is', 'members are');
    return `${mailed} mailed ${what}${when}: ${named.join(', ')}.`;
  });
}
