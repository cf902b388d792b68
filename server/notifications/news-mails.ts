/** Mails about the line: of a join, of friends, and of the top. */
import type { Database } from '../db/database.ts';
import { describeEnd } from '../drop/offers/offer-rules.ts';
import { getNextFreeze, type NextFreeze } from '../drop/schedule/schedule.ts';
import type { Composed, Composing, MailKindOf, MailRequest } from '../line/mails/mail-kinds.ts';
import { tierProgress } from '../line/referrals/tier-rules.ts';
import { readStandingsBefore } from '../line/store.ts';

export const CONFIRM_DAYS = 7;

type FriendsMail = MailRequest<'friends'> & { readonly newFriends: number };
type TierMail = MailRequest<'tier'> & { readonly level: number };
type Top100Mail = MailRequest<'top100'> & { readonly isInside: boolean };
export type NewsMail = FriendsMail | TierMail | Top100Mail;

async function loadFreeze(database: Database, requests: readonly MailRequest[]) {
  const freeze = await getNextFreeze(database);
  return requests.map(() => freeze);
}

const welcome: MailKindOf = {
  slot: 'first',
  compose: ({ recipient: { position } }) => ({ kind: 'welcome', values: { position } }),
};

const confirm: MailKindOf = {
  slot: 'first',
  compose: (mail) => (mail.recipient.isConfirmed ? null : confirmContent(mail)),
};

function confirmContent({ recipient, links }: Composing<MailRequest, unknown>): Composed {
  const values = { validDays: CONFIRM_DAYS, position: recipient.position };
  return { kind: 'confirm', values, action: links.confirm };
}

const statusLink: MailKindOf = {
  slot: 'link',
  compose(mail) {
    const { position, isConfirmed } = mail.recipient;
    // A credit waits for the member, and their first confirmation link may have expired.
    const isNeeded = mail.referralCredit === 'confirm' && mail.brand.mails.confirm.isOn;
    return isNeeded && !isConfirmed
      ? confirmContent(mail)
      : { kind: 'status-link', values: { position } };
  },
};

const confirmReminder: MailKindOf<MailRequest, NextFreeze> = {
  slot: 'reminder',
  load: loadFreeze,
  compose({ recipient, loaded: { state, publicAt: expiresAt, timeZone }, brand, links }) {
    if (recipient.isConfirmed || state !== 'open') return null;
    const about = { kind: 'confirm-reminder', action: links.confirm };
    if (expiresAt === null) return { ...about, form: 'undated', values: {} };
    const freezesAt = describeEnd({ expiresAt, timeZone }, brand.language);
    return { ...about, form: 'dated', values: { freezesAt } };
  },
};

const friends: MailKindOf<FriendsMail, NonNullable<Composed['before']> | null> = {
  load: readStandingsBefore,
  compose({ request: { newFriends }, loaded: before, recipient, brand }) {
    const { referralCount, position } = recipient;
    const { nextTier } = tierProgress(brand.tiers, referralCount);
    return {
      kind: 'friends',
      values: { newFriends, referralCount, position },
      facts: { friends: referralCount, position, nextReward: nextTier?.reward },
      before,
    };
  },
};

/** Leaves out how many friends a tier needs, which docs/behaviour.md 1 keeps secret. */
const tier: MailKindOf<TierMail> = {
  compose({ request: { level }, recipient, brand: { tiers } }) {
    const { nextTier, rewardsUnlocked } = tierProgress(tiers, recipient.referralCount);
    const reward = rewardsUnlocked[level - 1];
    if (reward === undefined) return null;
    return {
      kind: 'tier',
      values: { level, reward },
      facts: { nextReward: nextTier?.reward },
      shown: { picture: tiers[level - 1]?.picture ?? 'ticket', alt: reward },
    };
  },
};

const top100: MailKindOf<Top100Mail, NextFreeze> = {
  load: loadFreeze,
  compose({ request: { isInside }, loaded: { state }, recipient: { position }, brand }) {
    const { maskCount } = brand;
    if (state !== 'open' || isInside !== position <= maskCount) return null;
    const placesToGo = Math.max(0, position - maskCount);
    const form = isInside ? 'entered' : 'left';
    return { kind: 'top100', form, values: { placesToGo, position } };
  },
};

export const newsMails = {
  welcome,
  confirm,
  'status-link': statusLink,
  'confirm-reminder': confirmReminder,
  friends,
  tier,
  top100,
};
