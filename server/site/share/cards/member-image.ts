import type { ImageFormat } from '../../../../contract/paths.ts';
import { type Box, canvas, drawGhost } from './canvas.ts';
import type { CardStyle, Tokens } from './card-style.ts';
import { cardWords } from './card-words.ts';
import { drawText, fitNumerals } from './draw-text.ts';
import { type QrModules, qrSvg } from './qr-art.ts';

type Layout = {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly nameY: number;
  readonly ghost: Box;
  readonly wordSize: number;
  /** Vertical centre of the three lines of the position. */
  readonly middleY: number;
  readonly numeral: { readonly width: number; readonly maxSize: number };
  /** Null where the link stands beside the image anyway. */
  readonly qr: { readonly y: number; readonly side: number } | null;
};

/** Of both fonts, in em. */
const CAPITAL_HEIGHT = 0.7;

/** Wide for previews, square for feeds, tall for stories, with room for the buttons of apps. */
const LAYOUTS: Readonly<Record<ImageFormat, Layout>> = {
  wide: {
    width: 1200,
    height: 630,
    left: 64,
    nameY: 90,
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
    nameY: 108,
    ghost: { x: 588, y: 60, width: 436, height: 638 },
    wordSize: 66,
    middleY: 379,
    numeral: { width: 500, maxSize: 236 },
    qr: { y: 744, side: 272 },
  },
  tall: {
    width: 1080,
    height: 1920,
    left: 80,
    nameY: 262,
    ghost: { x: 330, y: 284, width: 420, height: 615 },
    wordSize: 64,
    middleY: 1084,
    numeral: { width: 920, maxSize: 256 },
    qr: { y: 1318, side: 262 },
  },
};

type MemberImage = {
  readonly format: ImageFormat;
  readonly code: string;
  readonly position: number;
  /** The QR code of the invite link. */
  readonly modules: QrModules;
};

/** The image that a member shares: ghost, position and, on large formats, a QR code. */
export function memberImageSvg(
  { format, code, position, modules }: MemberImage,
  style: CardStyle,
): string {
  const layout = LAYOUTS[format];
  const { left, qr } = layout;
  const { brand, tokens } = style;
  return canvas(layout, layout.ghost, tokens, [
    drawGhost(code, layout.ghost, style),
    drawText(
      brand.name,
      { x: left, y: layout.nameY, size: 32, face: 'display', fill: tokens.bone },
      tokens,
    ),
    drawPosition([brand.specified.memberName, `#${position}`, cardWords.inLine], layout, tokens),
    qr === null
      ? scarcityLine(left, layout.height - 64, style)
      : invitation({ x: left, ...qr }, { code, modules }, style),
  ]);
}

/** SPEC 2: '{memberName} #128 in line' on three lines, evenly spaced at any font size. */
function drawPosition(
  [before, number, after]: readonly [string, string, string],
  layout: Layout,
  tokens: Tokens,
): string {
  const { left: x, middleY, wordSize, numeral } = layout;
  const size = fitNumerals(number, numeral);
  const half = (size * CAPITAL_HEIGHT) / 2;
  const gap = wordSize * 0.56;
  const word = { x, size: wordSize, face: 'display', fill: tokens.bone } as const;
  return [
    drawText(before, { ...word, y: Math.round(middleY - half - gap) }, tokens),
    drawText(
      number,
      { x: x + 1, y: Math.round(middleY + half), size, face: 'numeral', fill: tokens.afterglow },
      tokens,
    ),
    drawText(
      after,
      { ...word, y: Math.round(middleY + half + gap + wordSize * CAPITAL_HEIGHT) },
      tokens,
    ),
  ].join('');
}

function scarcityLine(x: number, y: number, { brand, tokens }: CardStyle): string {
  const words = `${cardWords.scarcity(brand.maskCount)} / ${cardWords.noRestocks}`;
  return drawText(words, { x, y, size: 20, face: 'mono', fill: tokens.fog }, tokens);
}

/** The QR code, with its purpose beside it. */
function invitation(
  { x, y, side }: { x: number; y: number; side: number },
  { code, modules }: Pick<MemberImage, 'code' | 'modules'>,
  style: CardStyle,
): string {
  const { tokens } = style;
  const beside = x + side + 44;
  const headline = { x: beside, size: 52, face: 'display', fill: tokens.bone } as const;
  return [
    qrSvg(modules, tokens, `x="${x}" y="${y}" width="${side}" height="${side}"`),
    drawText(cardWords.scan[0], { ...headline, y: y + 84 }, tokens),
    drawText(cardWords.scan[1], { ...headline, y: y + 138 }, tokens),
    drawText(
      `Code ${code}`,
      { x: beside, y: y + 198, size: 22, face: 'mono', fill: tokens.afterglow },
      tokens,
    ),
    scarcityLine(beside, y + 240, style),
  ].join('');
}
