/**
 * What a brand file must contain. The compiler checks `brand.ts` against it; every start and build
 * checks it again, in sentences (server/site/brand/brand-rules.ts).
 */

type MaskSize = {
  readonly name: string;
  /** Stock of this size in a fresh line; `./waitlist stock` changes it later. */
  readonly stock: number;
};

/** The section of the landing page that shows the mask in large, in product.ts. */
export type Product = {
  readonly title: string;
  /** Up to four, each with the part of the mask of which it speaks. Empty ones are not shown. */
  readonly facts: readonly {
    readonly name: string;
    readonly text: string;
    readonly at: MaskPoint;
  }[];
  /** Faces that a size fits, in cm from the hairline to the chin. Empty is not shown. */
  readonly guide: readonly {
    readonly size: string;
    readonly faceCm: readonly [from: number, to: number];
  }[];
  /** While true, every start reminds you to put in your own facts and sizes in cm. */
  readonly areExamples: boolean;
  /** How to measure one's face. */
  readonly measure: string;
  /** A file in `static/` of 4 to 5, shown first: the product as a camera sees it. */
  readonly portrait: { readonly file: string; readonly alt: string };
  /** Files in `static/`, shown instead of the drawn mask. */
  readonly pictures: readonly { readonly file: string; readonly alt: string }[];
};

export type Tier = {
  readonly requiredReferrals: number;
  readonly reward: string;
  /** A plain gift, something sent to an address, or a code of the shop. */
  readonly kind: 'plain' | 'address' | 'code';
  /** What the member's page draws, with the member's face on print and jacket; else a ticket. */
  readonly picture?: RewardPicture;
};

export type RewardPicture = 'stickers' | 'band' | 'shirt' | 'print' | 'jacket' | 'ticket';

/**
 * Texts that docs/behaviour.md fixes for the first brand, and that name its members. Another brand
 * uses its own word in the same places.
 */
type SpecifiedTexts = {
  /** The word before the position, as in '{memberName} #128 in line'. */
  readonly memberName: string;
  readonly joined: string;
  readonly statusLoading: string;
  readonly statusNotFound: string;
  readonly totalMembers: string;
};

type Copy = {
  readonly headline: readonly [string, string];
  readonly tagline: string;
  readonly formNote: string;
  /** Says at both forms which mails come. Must be true of the mails that are on. */
  readonly mailNote: string;
  readonly meterTitle: string;
  /** Shown under the field while the browser computes a proof of work. */
  readonly proofNote: string;
  readonly landingTitle: string;
  readonly landingDescription: string;
  readonly inviteTitle: string;
  readonly inviteDescription: string;
  readonly inviteNote: string;
  /**
   * Stands on the landing page with a picture of eight faces. Must not claim that one is unique.
   */
  readonly facesTitle: string;
  /** Stands below that title. */
  readonly facesNote: string;
  readonly facesAlt: string;
  readonly inviterFaceTitle: string;
  /** Stand above and below the member's face. Must not claim that it is unique. */
  readonly faceTitle: string;
  readonly faceNote: string;
  readonly shareTitle: string;
  readonly shareText: string;
  /** Instead of it while the order of a drop is fixed: who joins then is in line for the next. */
  readonly nextShareText: string;
  /** News of a member who has just come into the top. */
  readonly enteredTop: string;
  readonly notFoundTitle: string;
  readonly notFoundText: string;
};

/** A text by the plural rules of the brand's language: `one` and `other` in English. */
export type CountedText = { readonly other: string } & {
  readonly [form in Intl.LDMLPluralRule]?: string;
};

type EntryReason =
  | 'duplicate'
  | 'prepaid'
  | 'amount'
  | 'unknown'
  | 'lapsed'
  | 'refused'
  | 'not-drawn'
  | 'undone';

/** The words of one mail. Values are in braces, as `{position}`; the build rejects unknown ones. */
export type MailText = {
  readonly subject: string | CountedText;
  /** Shown by mail apps beside the subject. */
  readonly preview: string | CountedText;
  /** Three lines, the middle one large and charged; any may be empty. */
  readonly headline: readonly [string | CountedText, string | CountedText, string | CountedText];
  readonly text: readonly (string | CountedText)[];
  readonly button: string;
  readonly note: string;
};

type Switch = { readonly isOn: boolean };

type Mails = {
  /** System fonts: a mail can load none. A plain name first, because Outlook has no keywords. */
  readonly faces: { readonly display: string; readonly text: string; readonly mono: string };
  readonly invite: {
    readonly title: string;
    readonly label: string;
    readonly note: string;
    /** While the order of a drop is fixed. */
    readonly fixedNote: string;
  };
  readonly facts: {
    readonly friends: string;
    readonly position: string;
    readonly nextReward: string;
  };
  /** `draw` is followed by the hash of a draw. `resume` is for members who stopped mail. */
  readonly footer: Readonly<
    Record<'why' | 'status' | 'confirm' | 'answer' | 'preferences' | 'resume' | 'draw', string>
  >;
  /** All texts but `tier` and the texts of rewards and offers may use `{position}`. */
  readonly welcome: Switch & MailText;
  /** May use `{validDays}`, which selects the plural. */
  readonly confirm: Switch & MailText;
  readonly 'status-link': Switch & MailText;
  /** To a friend who has not confirmed, without a position. `dated` may use `{freezesAt}`. */
  readonly 'confirm-reminder': Switch & { readonly dated: MailText; readonly undated: MailText };
  /** May use `{newFriends}`, which selects the plural, and `{referralCount}`. */
  readonly friends: Switch & MailText;
  /** May use `{level}` and `{reward}`. */
  readonly tier: Switch & MailText;
  /** Asks for the address to which a reward is sent. May use `{reward}`, and no position. */
  readonly reward: Switch & MailText;
  /** Brings a reward that is a shop code. May use `{reward}` and `{code}`. */
  readonly 'reward-code': Switch & MailText;
  /**
   * Sent on entering and leaving the top. `left` may use `{placesToGo}`, which selects the plural.
   */
  readonly top100: Switch & { readonly entered: MailText; readonly left: MailText };
  /**
   * Sentences for `{terms}`, those that apply: `price` with `{price}`; `payHours`, which selects
   * the plural, before a pass and `payBy` with one; `code` where the shop needs the code of the
   * pass.
   */
  readonly terms: Readonly<Record<'price' | 'payBy' | 'code', string>> & {
    readonly payHours: string | CountedText;
  };
  /**
   * Offer of a mask. Always sent, like the reminder; both may use `{size}`, `{until}` and
   * `{terms}`.
   */
  readonly offer: MailText;
  readonly 'offer-reminder': MailText;
  /** Accepted offer. Always sent; may use `{size}` and `{terms}`. */
  readonly pass: MailText;
  /** Paid pass. Always sent; may use `{size}`. */
  readonly 'pass-paid': MailText;
  /** Always sent; may use `{size}`, and `{note}` for what the operator wrote as the reason. */
  readonly 'pay-reminder': MailText;
  readonly 'pass-unpaid': MailText;
  readonly 'pass-cancelled': MailText;
  readonly 'offer-ended': MailText;
  /** Asks entrants to enter by card. Always sent; may use `{price}`, `{until}`. */
  readonly enter: MailText;
  /** Twelve hours before the end, for whoever has not. May use `{price}`, `{until}`. */
  readonly 'enter-reminder': MailText;
  /** The card holds the price until the draw. Always sent, as the next; may use `{price}`. */
  readonly entered: MailText;
  /** The card holds nothing any more. May use `{price}`, and `{reason}` for a sentence below. */
  readonly 'entry-over': MailText;
  /** Sentences for `{reason}`; `again` follows while the member may still enter. */
  readonly entryReasons: Readonly<Record<EntryReason | 'again', string>>;
  /** Asks where to send the mask. Always sent; may use `{size}`. */
  readonly 'mask-address': MailText;
  /** Always sent; may use `{size}`, `{carrier}` and `{tracking}`. */
  readonly 'mask-sent': MailText;
  /** `waiting` where a mask that nobody takes may still come to the member, `over` elsewhere. */
  readonly 'not-chosen': Switch & { readonly waiting: MailText; readonly over: MailText };
};

/** The pictures of a brand as inline SVG, without scripts, ids or style attributes. */
export type BrandArt = {
  readonly maskSvg: () => string;
  /**
   * The face of a referral code: the same bytes on server and client, in any letter case. `columns`
   * requests fewer dots across for small faces; art without dots may ignore it.
   */
  readonly ghostSvg: (code: string, options?: { columns?: number }) => string;
  /**
   * The paint of a code on a grid of 8 by 11, the same on both sides: a digit in base 16 for each
   * row of the right half, its highest bit at the nose. Others see it, so it must fit many codes.
   */
  readonly coarsePaint: (code: string) => string;
};

/** Makes the mask an object that turns, in steps with rests between them; null for flat art. */
export type ShapeMask = ((columns?: number) => Generator<void, MaskObject>) | null;

/** Angles are in radians, 0 is the front. At the front it looks as `maskSvg` does. */
export type MaskObject = {
  readonly width: number;
  readonly height: number;
  /** Looks of the dots by level of brightness. */
  readonly looks: readonly { readonly diameter: number; readonly opacity: number }[];
  /** In steps, because the first picture takes a slow phone long. */
  turn(
    yaw: number,
    pitch: number,
    draw: (x: number, y: number, level: number, isPainted: boolean) => void,
  ): Generator<void, void>;
  /** Gives it the paint of a code, or none. */
  paint(code: string | null): void;
  /** Where the point (u, v) of the surface is drawn. */
  locate(point: MaskPoint, yaw: number, pitch: number): { readonly x: number; readonly y: number };
};

/** u from -1 to 1 across with 0 on the nose, v from -1.2 at the crown to 1.16 at the chin. */
type MaskPoint = readonly [u: number, v: number];

/** Links in the footer of every page, which leaves out a missing link and an example. */
type Links = {
  readonly contact?: string;
  readonly privacy?: string;
};

export type Brand = {
  readonly name: string;
  readonly language: string;
  readonly copy: Copy;
  readonly links: Links;
  readonly specified: SpecifiedTexts;
  readonly mails: Mails;
  readonly product: Product;
  readonly sizes: readonly MaskSize[];
  /** Number of masks, and of members with early access: docs/behaviour.md 1. */
  readonly maskCount: number;
  readonly tiers: readonly Tier[];
};
