/**
 * The contract between the server and the mails: React components in `mails/`, built into one
 * module that the server loads. Neither side imports the other.
 */

/**
 * welcome: after a join · confirm: instead, when credit waits for a confirmation · status-link: the
 * address was entered again · friends: new ones joined · tier: reached · top100: entered or left.
 */
export type MailKind = 'welcome' | 'confirm' | 'status-link' | 'friends' | 'tier' | 'top100';

type NextReward = { readonly requiredReferrals: number; readonly reward: string };

/** All numbers are current when the mail is sent. */
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
      readonly kind: 'friends';
      /** Credited since the last mail of this kind, at least 1. */
      readonly newFriends: number;
      readonly referralCount: number;
      readonly position: number;
      readonly nextTier: NextReward | null;
    }
  | {
      readonly kind: 'tier';
      readonly level: number;
      readonly reward: string;
      readonly nextTier: NextReward | null;
    }
  | { readonly kind: 'top100'; readonly isInside: boolean; readonly position: number };

/** What every mail to a member shows; all links are absolute. */
export type MailFrame = {
  readonly publicUrl: string;
  readonly statusLink: string;
  readonly inviteLink: string;
  readonly referralCode: string;
  /** The member's ghost, served by this server. */
  readonly ghostImage: string;
  /** For stopping mail, downloading the data and leaving. */
  readonly preferencesLink: string;
};

export type RenderedMail = {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
};

export type RenderMail = (content: MailContent, frame: MailFrame) => RenderedMail;
