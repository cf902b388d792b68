/** Mails are built into one module, which the server loads: neither side imports the other. */

/** `confirm` comes instead of `welcome`, and `pass` again with another code. */
export type MailKind =
  | 'welcome'
  | 'confirm'
  | 'status-link'
  | 'confirm-reminder'
  | 'friends'
  | 'tier'
  | 'top100'
  | OfferMailKind
  | 'not-chosen'
  | 'reward'
  | 'reward-code'
  | 'campaign';

export type OfferMailKind =
  | 'offer'
  | 'offer-reminder'
  | 'pass'
  | 'pass-paid'
  | 'pay-reminder'
  | 'pass-unpaid'
  | 'pass-cancelled'
  | 'mask-address'
  | 'mask-sent'
  | 'offer-ended';

/** What is known about paying. Each is a sentence of the brand, which `{terms}` stands for. */
export type PaymentTerms = {
  readonly price: string | null;
  /** Before an offer is accepted, how long the pass can be paid; afterwards, until when. */
  readonly payHours: number | null;
  readonly payBy: string | null;
  readonly needsCode: boolean;
};

type NextReward = { readonly requiredReferrals: number; readonly reward: string };

export type MailContent =
  | { readonly kind: 'welcome'; readonly position: number }
  | {
      readonly kind: 'confirm';
      readonly position: number;
      readonly confirmLink: string;
      readonly validDays: number;
    }
  | { readonly kind: 'status-link'; readonly position: number }
  | {
      readonly kind: 'confirm-reminder';
      readonly confirmLink: string;
      /** When the line freezes, in words and with the time zone; null unless the site shows it. */
      readonly freezesAt: string | null;
    }
  | {
      readonly kind: 'friends';
      readonly newFriends: number;
      readonly referralCount: number;
      readonly heldReferrals: number;
      readonly position: number;
      readonly nextTier: NextReward | null;
    }
  | {
      readonly kind: 'tier';
      readonly level: number;
      readonly reward: string;
      readonly nextTier: NextReward | null;
    }
  | { readonly kind: 'top100'; readonly isInside: boolean; readonly position: number }
  | {
      readonly kind: 'offer' | 'offer-reminder';
      readonly size: string;
      readonly until: string;
      readonly offerLink: string;
      readonly terms: PaymentTerms;
    }
  | {
      readonly kind: 'pay-reminder';
      readonly size: string;
      readonly until: string;
      readonly offerLink: string;
    }
  | {
      readonly kind: 'pass';
      readonly size: string;
      readonly offerLink: string;
      readonly terms: PaymentTerms;
    }
  | { readonly kind: 'pass-paid'; readonly size: string; readonly offerLink: string }
  | { readonly kind: 'mask-address'; readonly size: string; readonly rewardLink: string }
  | {
      readonly kind: 'mask-sent';
      readonly size: string;
      readonly carrier: string;
      readonly tracking: string;
    }
  | { readonly kind: 'pass-cancelled'; readonly size: string; readonly note: string }
  | { readonly kind: 'offer-ended' | 'pass-unpaid'; readonly size: string }
  | {
      readonly kind: 'not-chosen';
      readonly position: number;
      readonly canReturn: boolean;
    }
  | { readonly kind: 'reward'; readonly reward: string; readonly rewardLink: string }
  | { readonly kind: 'reward-code'; readonly reward: string; readonly code: string }
  | { readonly kind: 'campaign'; readonly subject: string; readonly blocks: readonly MailBlock[] };

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
  readonly ghostImage: string;
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
