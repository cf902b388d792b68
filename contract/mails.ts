/**
 * What the server tells the mails, and what it gets back. The mails are React components of `mails/`, built to one module that the
 * server loads; neither side imports the other.
 */

/**
 * welcome: after a join · confirm: the same where credit waits for it · status-link: the address was given to the join form
 * again · friends: some joined since the last such mail · tier: reached, with its reward · hundred: entered or left.
 */
export type MailKind = 'welcome' | 'confirm' | 'status-link' | 'friends' | 'tier' | 'hundred';

type NextReward = { readonly requiredReferrals: number; readonly reward: string };

/** All numbers are those of the moment of sending. */
export type MailContent =
  | { readonly kind: 'welcome'; readonly position: number }
  | { readonly kind: 'confirm'; readonly position: number; readonly confirmLink: string; readonly validDays: number }
  | { readonly kind: 'status-link'; readonly position: number }
  | {
      readonly kind: 'friends';
      /** Credited since the last such mail, at least 1. */
      readonly newFriends: number;
      readonly referralCount: number;
      readonly position: number;
      readonly nextTier: NextReward | null;
    }
  | { readonly kind: 'tier'; readonly level: number; readonly reward: string; readonly nextTier: NextReward | null }
  | { readonly kind: 'hundred'; readonly isInside: boolean; readonly position: number };

/** What every mail to a member shows; all links are absolute. */
export type MailFrame = {
  readonly publicUrl: string;
  readonly statusLink: string;
  readonly inviteLink: string;
  readonly referralCode: string;
  /** A picture of the member's ghost, served by us. */
  readonly ghostImage: string;
  /** The member's own page: stop mails, download the data, leave. */
  readonly preferencesLink: string;
};

export type RenderedMail = { readonly subject: string; readonly html: string; readonly text: string };

export type RenderMail = (content: MailContent, frame: MailFrame) => RenderedMail;
