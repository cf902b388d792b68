/** Layouts in pixels: drawn by the server to be shared, and small on the status page. */
import type { ImageFormat } from './paths.ts';

export type MemberImageLayout = {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly ghost: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;
  readonly wordSize: number;
  readonly middleY: number;
  readonly numeral: { readonly width: number; readonly maxSize: number };
  /** Null in previews and stories: nobody can scan their own screen. */
  readonly qr: { readonly x: number; readonly y: number; readonly side: number } | null;
};

/** What places a number. */
export type NumberLayout = Pick<MemberImageLayout, 'left' | 'wordSize' | 'middleY' | 'numeral'>;

export type TextBox = Readonly<Record<'x' | 'y' | 'width' | 'maxSize', number>>;

/** Height of capitals of the display and the numeral font, in em. */
const CAPITAL_HEIGHT = 0.7;
/** Width of every character in em, with its spacing, rounded up. */
const ADVANCE = { numeral: 0.62, mono: 0.74, display: 0.8 } as const;

export const MEMBER_IMAGES: Readonly<Record<ImageFormat, MemberImageLayout>> = {
  wide: {
    width: 1200,
    height: 630,
    left: 64,
    ghost: { x: 752, y: 28, width: 392, height: 574 },
    wordSize: 64,
    middleY: 322,
    numeral: { width: 640, maxSize: 236 },
    qr: null,
  },
  square: {
    width: 1080,
    height: 1080,
    left: 64,
    ghost: { x: 588, y: 60, width: 436, height: 638 },
    wordSize: 66,
    middleY: 379,
    numeral: { width: 500, maxSize: 236 },
    qr: { x: 64, y: 744, side: 272 },
  },
  // The link sticker of a story fits between the words and the printed link.
  tall: {
    width: 1080,
    height: 1920,
    left: 64,
    ghost: { x: 211, y: 0, width: 658, height: 963 },
    wordSize: 56,
    middleY: 1172,
    numeral: { width: 952, maxSize: 384 },
    qr: null,
  },
};

type SmallPrint = {
  /** Null: the name stands in print below the link. */
  readonly nameY: number | null;
  /** The invite link in print; `y` is that of its last line. */
  readonly link: TextBox;
};

/** Texts that previews leave out. */
export const SMALL_PRINT: Readonly<Record<ImageFormat, SmallPrint>> = {
  wide: { nameY: 90, link: { x: 64, y: 548, width: 640, maxSize: 26 } },
  square: { nameY: 108, link: { x: 380, y: 942, width: 636, maxSize: 24 } },
  tall: { nameY: null, link: { x: 64, y: 1544, width: 952, maxSize: 36 } },
};

type WordsOfBrand = {
  readonly maskCount: number;
  readonly specified: { readonly memberName: string };
};

/** The lines before and after the number of a member's image. */
export function memberImageWords(
  format: ImageFormat,
  position: number,
  { maskCount, specified }: WordsOfBrand,
): readonly [before: string, after: string] {
  const isTop = position <= maskCount;
  if (format !== 'tall') return [specified.memberName, isTop ? `top ${maskCount}` : 'in line'];
  return [isTop ? `I'm in the top ${maskCount}` : "I'm", 'Use my link. Start higher.'];
}

/** The largest font size up to `maxSize` at which the text fits the width. */
export function fitText(
  text: string,
  face: keyof typeof ADVANCE,
  { width, maxSize }: { readonly width: number; readonly maxSize: number },
): number {
  return Math.floor(Math.min(maxSize, width / (text.length * ADVANCE[face])));
}

export type NumberWords = readonly [before: string, number: string, after: string];

/** Sizes and baselines of a line, the number in large figures, and another line. */
export function placeWords(
  [before, number, after]: NumberWords,
  { middleY, wordSize, numeral }: NumberLayout,
) {
  const size = fitText(number, 'numeral', numeral);
  const lastSize = fitText(after, 'display', { ...numeral, maxSize: wordSize });
  const half = (size * CAPITAL_HEIGHT) / 2;
  const gap = wordSize * 0.56;
  const lastY = Math.round(middleY + half + gap + lastSize * CAPITAL_HEIGHT);
  return {
    before: { text: before, size: wordSize, y: Math.round(middleY - half - gap) },
    number: { text: number, size, y: Math.round(middleY + half) },
    after: { text: after, size: lastSize, y: lastY },
  };
}
