/** Mails are built into one module, which the server loads: neither side imports the other. */
import type { ReleaseReason } from './drop/states.ts';

/** What is known about paying. Each is a sentence of the brand, which `{terms}` stands for. */
export type PaymentTerms = {
  readonly price: string | null;
  /** Before an offer is accepted, how long the pass can be paid; afterwards, until when. */
  readonly payHours: number | null;
  readonly payBy: string | null;
  readonly needsCode: boolean;
};

type NextReward = { readonly requiredReferrals: number; readonly reward: string };

type OfOffer = { size: string; offerLink: string };

/** A `pass` comes again with another code. */
type OfferContents = {
  offer: OfOffer & { until: string; terms: PaymentTerms };
  'offer-reminder': OfferContents['offer'];
  pass: OfOffer & { terms: PaymentTerms };
  'pass-paid': OfOffer;
  'pay-reminder': OfOffer & { until: string };
  'pass-unpaid': { size: string };
  'pass-cancelled': { size: string; note: string };
  'mask-address': { size: string; rewardLink: string };
  'mask-sent': { size: string; carrier: string; tracking: string };
  'offer-ended': { size: string };
};

/** Why a card holds nothing any more, for a sentence of the brand. */
type ToldReason = Exclude<ReleaseReason, 'withdrawn'>;
type EntryContents = {
  enter: { price: string; until: string; offerLink: string };
  'enter-reminder': { price: string; until: string; offerLink: string };
  entered: { price: string; offerLink: string };
  'entry-over': { price: string; why: ToldReason; mayEnter: boolean; offerLink: string };
};

/** What each kind of mail says. A `confirm` comes instead of a `welcome`. */
type Contents = EntryContents &
  OfferContents & {
    welcome: { position: number };
    confirm: { position: number; confirmLink: string; validDays: number };
    'status-link': { position: number };
    'confirm-reminder': {
      confirmLink: string;
      /** When the line freezes, in words and with the time zone; null unless the site shows it. */
      freezesAt: string | null;
    };
    friends: {
      newFriends: number;
      referralCount: number;
      position: number;
      nextTier: NextReward | null;
    };
    tier: { level: number; reward: string; nextTier: NextReward | null };
    top100: { isInside: boolean; position: number };
    'not-chosen': { position: number; canReturn: boolean };
    reward: { reward: string; rewardLink: string };
    'reward-code': { reward: string; code: string };
    campaign: { subject: string; blocks: readonly MailBlock[] };
  };

export type MailKind = keyof Contents;
export type OfferMailKind = keyof OfferContents;
export type EntryMailKind = keyof EntryContents;

export type MailContent = {
  [Kind in MailKind]: Readonly<{ kind: Kind } & Contents[Kind]>;
}[MailKind];

export type NewsContent = Exclude<MailContent, { kind: 'campaign' }>;

export type MailBlock =
  | { readonly kind: 'heading' | 'paragraph'; readonly words: readonly MailWords[] }
  | {
      readonly kind: 'list';
      readonly firstNumber: number | null;
      readonly items: readonly (readonly MailBlock[])[];
    }
  | { readonly kind: 'quote'; readonly blocks: readonly MailBlock[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'rule' };

export type MailWords =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly words: readonly MailWords[] }
  | { readonly kind: 'link'; readonly href: string; readonly words: readonly MailWords[] }
  | { readonly kind: 'break' };

export type MailFrame = {
  readonly publicUrl: string;
  readonly statusLink: string;
  readonly inviteLink: string;
  readonly referralCode: string;
  readonly image: string;
  readonly confirmLink: string | null;
  readonly preferencesLink: string;
  /** Mail to this address was stopped: the link turns it on again. */
  readonly isStopped: boolean;
  readonly isOrderFixed: boolean;
  /** What a drop has published by its hash; null before, and in mails that are not about one. */
  readonly draw: { readonly hash: string; readonly link: string } | null;
  readonly answerLink: string | null;
};

export type RenderedMail = {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
};

export type RenderMail = (content: MailContent, frame: MailFrame) => RenderedMail;
