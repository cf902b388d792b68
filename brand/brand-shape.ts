/** What a brand file must say. `brand.ts` is checked against it by the compiler. */

export type LineRule =
  /** 2 points for a credited friend, 1 for coming by invite; most points first, then join order. */
  | { readonly name: 'points' }
  /** Every credited friend, and coming by invite, moves a member 10 places ahead of their join order. */
  | { readonly name: 'skip' };

type MaskSize = {
  readonly name: string;
  /** Pieces of this size at the first start; afterwards the database decides. */
  readonly stock: number;
};

export type Tier = {
  readonly requiredReferrals: number;
  readonly reward: string;
};

/**
 * Texts that the specification fixes to the letter for the first brand, because they name its people. The site takes them
 * from here alone, so that another brand calls its people by its own word in the same places.
 */
type SpecifiedTexts = {
  /** SPEC 2: before the position, as in '{memberName} #128 in line'. */
  readonly memberName: string;
  /** SPEC 8: the toast after a join. */
  readonly joined: string;
  /** SPEC 2: the status page while it loads. */
  readonly statusLoading: string;
  /** SPEC 2: the status page of an unknown member. */
  readonly statusNotFound: string;
  /** SPEC 2: over the number of members. */
  readonly totalMembers: string;
};

/** Sentences that the specification does not fix. */
type Copy = {
  /** The landing headline, one string a line. */
  readonly headline: readonly [string, string];
  readonly tagline: string;
  /** One line under the landing form. */
  readonly formNote: string;
  /** Under the field while the browser does the work that is asked for when very many join: the visitor has nothing to do. */
  readonly proofNote: string;
  readonly landingTitle: string;
  readonly landingDescription: string;
  readonly inviteTitle: string;
  readonly inviteDescription: string;
  /** Under the inviter's ghost: says that joining by invite means a higher starting position. */
  readonly inviteNote: string;
  /** Over the member's own face, and beneath it: how it came about, claiming no more than the faces keep. */
  readonly faceTitle: string;
  readonly faceNote: string;
  readonly shareTitle: string;
  readonly shareText: string;
  readonly notFoundTitle: string;
  readonly notFoundText: string;
};

/** A text whose words follow a number, by the plural rules of the brand's language: `one` and `other` in English. */
export type CountedText = { readonly other: string } & { readonly [form in Intl.LDMLPluralRule]?: string };

/** The words of one mail. Values stand in braces, such as `{position}`; the build names those that a mail does not know. */
export type MailText = {
  readonly subject: string | CountedText;
  /** What mail apps show beside the subject. */
  readonly preview: string | CountedText;
  /** Three lines, the middle one large and lit; a line may be empty. */
  readonly headline: readonly [string | CountedText, string | CountedText, string | CountedText];
  /** One paragraph each. */
  readonly text: readonly (string | CountedText)[];
  readonly button: string;
  /** Small, after all the rest; may be empty. */
  readonly note: string;
};

/** Whether mails of a kind are sent at all. */
type Switch = { readonly isOn: boolean };

type Mails = {
  /** Font stacks of the reader's device: a mail can load none. A plain name comes first, as Outlook knows no keywords. */
  readonly faces: { readonly display: string; readonly text: string; readonly mono: string };
  /** Over and under the member's invite link. */
  readonly invite: { readonly title: string; readonly label: string; readonly note: string };
  /** Captions of the numbers under some mails. */
  readonly facts: { readonly friends: string; readonly position: string; readonly nextReward: string };
  /** Under every mail: why it came, and the names of two links. */
  readonly footer: { readonly why: string; readonly status: string; readonly preferences: string };
  /** All know `{position}`, except `tier`. */
  readonly welcome: Switch & MailText;
  /** Knows `{validDays}`, which counts. */
  readonly confirm: Switch & MailText;
  readonly 'status-link': Switch & MailText;
  /** Knows `{newFriends}`, which counts, and `{referralCount}`. */
  readonly friends: Switch & MailText;
  /** Knows `{level}` and `{reward}`. */
  readonly tier: Switch & MailText;
  /** `left` knows `{placesToGo}`, which counts. */
  readonly hundred: Switch & { readonly entered: MailText; readonly left: MailText };
};

/** What the server draws of a brand: inline SVG without scripts, ids or style attributes. */
export type BrandArt = {
  /** The bare mask. */
  readonly maskSvg: () => string;
  /** The face drawn from a referral code: the same bytes on server and client, in any letter case. */
  readonly ghostSvg: (code: string) => string;
};

export type Brand = {
  readonly name: string;
  readonly language: string;
  readonly copy: Copy;
  readonly specified: SpecifiedTexts;
  readonly mails: Mails;
  readonly sizes: readonly MaskSize[];
  readonly tiers: readonly Tier[];
  readonly lineRule: LineRule;
};
