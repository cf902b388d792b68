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
  readonly sizes: readonly MaskSize[];
  readonly tiers: readonly Tier[];
  readonly lineRule: LineRule;
};
