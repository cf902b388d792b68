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
const ADVANCE = { numeral: 0.62, mono: 0.74 } as const;

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
    left: 80,
    ghost: { x: 254, y: 84, width: 572, height: 837 },
    wordSize: 60,
    middleY: 1100,
    numeral: { width: 920, maxSize: 256 },
    qr: null,
  },
};

type SmallPrint = {
  readonly nameY: number;
  /** The invite link in print; `y` is that of its last line. */
  readonly link: TextBox;
};

/** Texts that previews leave out. */
export const SMALL_PRINT: Readonly<Record<ImageFormat, SmallPrint>> = {
  wide: { nameY: 90, link: { x: 64, y: 548, width: 640, maxSize: 26 } },
  square: { nameY: 108, link: { x: 380, y: 942, width: 636, maxSize: 24 } },
  tall: { nameY: 1486, link: { x: 80, y: 1536, width: 920, maxSize: 30 } },
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
  return [isTop ? `I'm in the top ${maskCount}` : "I'm", 'Start ahead of me.'];
}

/** The largest font size up to `maxSize` at which the text fits the width. */
export function fitText(
  text: string,
  face: keyof typeof ADVANCE,
  { width, maxSize }: { readonly width: number; readonly maxSize: number },
): number {
  return Math.floor(Math.min(maxSize, width / (text.length * ADVANCE[face])));
}

export function placePosition(
  number: string,
  { middleY, wordSize, numeral }: NumberLayout,
): { readonly size: number; readonly baselines: readonly [number, number, number] } {
  const size = fitText(number, 'numeral', numeral);
  const half = (size * CAPITAL_HEIGHT) / 2;
  const gap = wordSize * 0.56;
  const after = middleY + half + gap + wordSize * CAPITAL_HEIGHT;
  return {
    size,
    baselines: [Math.round(middleY - half - gap), Math.round(middleY + half), Math.round(after)],
  };
}
