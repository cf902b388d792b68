/**
 * What a brand file must contain: the compiler checks `brand.ts` against it, and every start and
 * build again, in sentences (server/site/brand/brand-rules.ts).
 */
import { formsOf, type MailShape, mapShapes, type NewsKind, type NewsTexts } from './mail-shape.ts';
import {
  anyText,
  type Check,
  type Checked,
  counted,
  expected,
  flag,
  list,
  object,
  oneOf,
  optional,
  text,
  tuple,
  wholeNumber,
} from './value-checks.ts';

const MAX_PIECES = 1_000_000;
const MAX_REFERRALS = 1_000_000;
const MAX_SIZE_NAME_LENGTH = 100;

const isPair = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

const fromToCm = expected<readonly [from: number, to: number]>(
  'two numbers of centimetres, the smaller one first',
  (value) => isPair(value) && value[0] > 0 && value[0] < value[1],
);

/** u from -1 to 1 across with 0 on the nose, v from -1.2 at the crown to 1.16 at the chin. */
type MaskPoint = readonly [u: number, v: number];

const onMask = expected<MaskPoint>(
  'a point [u, v] of the mask: u from -1 to 1, v from -1.2 to 1.16',
  (value) => isPair(value) && Math.abs(value[0]) <= 1 && value[1] >= -1.2 && value[1] <= 1.16,
);

const language = expected<string>(
  'a language tag such as en or pt-BR',
  (value) => typeof value === 'string' && isLanguageTag(value),
);

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

const sizeName = expected<string>(
  `a text of 1 to ${MAX_SIZE_NAME_LENGTH} printable characters`,
  (value) =>
    typeof value === 'string' &&
    value === value.trim() &&
    /^\P{C}+$/u.test(value) &&
    value.length <= MAX_SIZE_NAME_LENGTH,
);

const PLACEHOLDER = /\{(\w*)\}/g;

/** Holds the values that a text names in braces to those that its mail has. */
function naming(known: readonly string[], check = text): Check<string> {
  const listed = known.map((name) => `{${name}}`).join(', ') || 'none';
  return (value, key) => {
    const faults = check(value, key);
    if (faults.length > 0) return faults;
    return Array.from(String(value).matchAll(PLACEHOLDER), ([, name = '']) => name)
      .filter((name) => !known.includes(name))
      .map((name) => `${key} names {${name}}; it knows ${listed}.`);
  };
}

function mailTextOf(known: readonly string[]) {
  const words = counted(naming(known));
  const mayBeEmpty = counted(naming(known, anyText));
  return {
    subject: words,
    preview: words,
    headline: tuple(mayBeEmpty, mayBeEmpty, mayBeEmpty),
    text: list(words),
    button: naming(known),
    note: naming(known, anyText),
  };
}

/** Checks the words of a kind of mail, and its switch. */
function mailOf(shape: MailShape): Check {
  const forms = Object.entries(formsOf(shape)).map(
    ([form, values]) => [form, mailTextOf(Object.keys(values))] as const,
  );
  return object({
    ...(shape.isSwitched && { isOn: flag }),
    ...('forms' in shape
      ? Object.fromEntries(forms.map(([form, mailText]) => [form, object(mailText)]))
      : forms[0]?.[1]),
  });
}

const sentence = naming([]);
const term = naming(['price', 'payHours', 'payBy']);

const mails = mapShapes(mailOf) as { readonly [Kind in NewsKind]: Check<NewsTexts[Kind]> };

const picture = object({ file: text, alt: text });

/** The section of the landing page that shows the mask in large, in product.ts. */
const product = object({
  title: text,
  /** Up to four, each with the part of the mask of which it speaks. Empty ones are not shown. */
  facts: list(object({ name: text, text: anyText, at: onMask })),
  /** Faces that a size fits, in cm from the hairline to the chin. Empty is not shown. */
  guide: list(object({ size: text, faceCm: fromToCm })),
  /** While true, every start reminds you to put in your own facts and sizes in cm. */
  areExamples: flag,
  /** How to measure one's face. */
  measure: text,
  /** A file in `static/` of 4 to 5, shown first: the product as a camera sees it. */
  portrait: picture,
  /** Files in `static/`, shown instead of the drawn mask. */
  pictures: list(picture),
});
export type Product = Checked<typeof product>;

const rewardPicture = oneOf('stickers', 'band', 'shirt', 'print', 'jacket', 'ticket');
export type RewardPicture = Checked<typeof rewardPicture>;

const tier = object({
  requiredReferrals: wholeNumber({ min: 1, max: MAX_REFERRALS }),
  reward: text,
  /** A plain gift, something sent to an address, or a code of the shop. */
  kind: oneOf('plain', 'address', 'code'),
  /** What the member's page draws, with the member's face on print and jacket; else a ticket. */
  picture: optional(rewardPicture),
});
export type Tier = Checked<typeof tier>;

export const brandShape = object({
  name: text,
  language,
  copy: object({
    headline: tuple(text, text),
    tagline: text,
    formNote: text,
    /** Says at both forms which mails come. Must be true of the mails that are on. */
    mailNote: text,
    meterTitle: text,
    /** Shown under the field while the browser computes a proof of work. */
    proofNote: text,
    landingTitle: text,
    landingDescription: text,
    inviteTitle: text,
    inviteDescription: text,
    inviteNote: text,
    /**
     * Stands on the landing page with a picture of eight faces. Must not claim that one is unique.
     */
    facesTitle: text,
    /** Stands below that title. */
    facesNote: text,
    facesAlt: text,
    inviterFaceTitle: text,
    /** Stand above and below the member's face. Must not claim that it is unique. */
    faceTitle: text,
    faceNote: text,
    shareTitle: text,
    shareText: text,
    /** Instead of it while the order of a drop is fixed: who joins then is in line for the next. */
    nextShareText: text,
    /** News of a member who has just come into the top. */
    enteredTop: text,
    notFoundTitle: text,
    notFoundText: text,
  }),
  /** Links in the footer of every page, which leaves out a missing link and an example. */
  links: object({ contact: optional(anyText), privacy: optional(anyText) }),
  /**
   * Texts that docs/behaviour.md fixes for the first brand, and that name its members. Another
   * brand uses its own word in the same places.
   */
  specified: object({
    /** The word before the position, as in '{memberName} #128 in line'. */
    memberName: text,
    joined: text,
    statusLoading: text,
    statusNotFound: text,
    totalMembers: text,
  }),
  mails: object({
    /** System fonts: a mail can load none. A plain name first, because Outlook has no keywords. */
    faces: object({ display: text, text, mono: text }),
    invite: object({
      title: text,
      label: text,
      note: text,
      /** While the order of a drop is fixed. */
      fixedNote: text,
    }),
    facts: object({ friends: text, position: text, nextReward: text }),
    footer: object({
      why: text,
      status: text,
      confirm: text,
      answer: text,
      preferences: text,
      /** For members who stopped mail. */
      resume: text,
      /** Followed by the hash of a draw. */
      draw: text,
    }),
    /** Sentences for `{terms}`, those that apply. */
    terms: object({
      price: term,
      /** Stands before a pass. `{payHours}` selects the plural. */
      payHours: counted(term),
      /** Stands with a pass. */
      payBy: term,
      /** Where the shop needs the code of the pass. */
      code: term,
    }),
    /** Sentences for `{reason}`; `again` follows while the member may still enter. */
    entryReasons: object({
      duplicate: sentence,
      prepaid: sentence,
      amount: sentence,
      unknown: sentence,
      lapsed: sentence,
      refused: sentence,
      'not-drawn': sentence,
      undone: sentence,
      again: sentence,
    }),
    ...mails,
  }),
  product,
  /** Stock of each size in a fresh line; `./waitlist stock` changes it later. */
  sizes: list(object({ name: sizeName, stock: wholeNumber({ min: 0, max: MAX_PIECES }) }), {
    min: 1,
  }),
  /** Number of masks, and of members with early access: docs/behaviour.md 1. */
  maskCount: wholeNumber({ min: 1, max: MAX_PIECES }),
  tiers: list(tier),
});
export type Brand = Checked<typeof brandShape>;

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
