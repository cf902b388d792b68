/**
 * What a brand file must contain. The compiler checks `brand.ts` against it; every start and build
 * checks it again, in sentences (server/site/brand/brand-rules.ts).
 */
import type { Mails } from './mail-shape.ts';

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
