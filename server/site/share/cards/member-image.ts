import type { ImageFormat } from '../../../../contract/paths.ts';
import { type Box, canvas, drawGhost } from './canvas.ts';
import type { CardStyle, Tokens } from './card-style.ts';
import { cardWords } from './card-words.ts';
import { drawText, fitText } from './draw-text.ts';
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
  /** The invite link in print; `y` is that of its last line. */
  readonly link: TextBox;
  /** Null in previews and stories: nobody can scan their own screen. */
  readonly qr: { readonly x: number; readonly y: number; readonly side: number } | null;
};

type TextBox = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly maxSize: number;
};

/** Of both fonts, in em. */
const CAPITAL_HEIGHT = 0.7;
const MIN_LINK_SIZE = 20;
const LINE_HEIGHT = 32;

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
    link: { x: 64, y: 548, width: 640, maxSize: 26 },
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
    link: { x: 380, y: 942, width: 636, maxSize: 24 },
    qr: { x: 64, y: 744, side: 272 },
  },
  tall: {
    width: 1080,
    height: 1920,
    left: 80,
    nameY: 1640,
    ghost: { x: 140, y: 130, width: 800, height: 1171 },
    wordSize: 64,
    middleY: 1395,
    numeral: { width: 920, maxSize: 256 },
    link: { x: 80, y: 1712, width: 920, maxSize: 30 },
    qr: null,
  },
};

type MemberImage = {
  readonly format: ImageFormat;
  readonly code: string;
  readonly position: number;
  readonly link: string;
  /** The QR code of the link. */
  readonly modules: QrModules;
};

/** The image that a member shares: ghost, position, the invite link and, for feeds, its QR code. */
export function memberImageSvg(
  { format, code, position, link, modules }: MemberImage,
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
    ...(qr === null ? [] : [drawQr(modules, qr, tokens), drawScan(layout.link, qr.y, tokens)]),
    drawLink(link, layout.link, style),
  ]);
}

/** SPEC 2: '{memberName} #128 in line' on three lines, evenly spaced at any font size. */
function drawPosition(
  [before, number, after]: readonly [string, string, string],
  layout: Layout,
  tokens: Tokens,
): string {
  const { left: x, middleY, wordSize, numeral } = layout;
  const size = fitText(number, 'numeral', numeral);
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

function drawQr(
  modules: QrModules,
  { x, y, side }: { x: number; y: number; side: number },
  tokens: Tokens,
): string {
  return qrSvg(modules, tokens, `x="${x}" y="${y}" width="${side}" height="${side}"`);
}

/** What the QR code is for. */
function drawScan({ x }: TextBox, top: number, tokens: Tokens): string {
  const headline = { x, size: 52, face: 'display', fill: tokens.bone } as const;
  return cardWords.scan
    .map((line, index) => drawText(line, { ...headline, y: top + 84 + 54 * index }, tokens))
    .join('');
}

/** The link as a visitor would type it, above how many masks there are. */
function drawLink(link: string, box: TextBox, { brand, tokens }: CardStyle): string {
  const { x, y } = box;
  const lines = breakLink(link.replace(/^https?:\/\//, ''), box);
  const size = Math.min(...lines.map((line) => fitText(line, 'mono', box)));
  const scarcity = `${cardWords.scarcity(brand.maskCount)} / ${cardWords.noRestocks}`;
  const place = { x, face: 'mono' } as const;
  const printed = { ...place, size, fill: tokens.afterglow, isAsWritten: true };
  return [
    ...lines
      .toReversed()
      .map((line, index) => drawText(line, { ...printed, y: y - index * LINE_HEIGHT }, tokens)),
    drawText(scarcity, { ...place, y: y + 42, size: 20, fill: tokens.fog }, tokens),
  ].join('');
}

/** Before its path, where it would be too small on one line. */
function breakLink(link: string, box: TextBox): readonly string[] {
  if (fitText(link, 'mono', box) >= MIN_LINK_SIZE) return [link];
  const path = link.indexOf('/');
  return [link.slice(0, path), link.slice(path)];
}
