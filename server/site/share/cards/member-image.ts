import {
  fitText,
  MEMBER_IMAGES,
  type MemberImageLayout,
  memberImageWords,
  type NumberLayout,
  placePosition,
  SMALL_PRINT,
  type TextBox,
} from '../../../../contract/member-image.ts';
import type { ImageFormat } from '../../../../contract/paths.ts';
import { canvas, drawGhost } from './canvas.ts';
import type { CardStyle, Tokens } from './card-style.ts';
import { cardWords, drawText } from './draw-text.ts';
import { type QrModules, qrSvg } from './qr-art.ts';

const MIN_LINK_SIZE = 20;
const LINE_HEIGHT = 32;

type QrBox = NonNullable<MemberImageLayout['qr']>;

export type MemberImage = {
  readonly format: ImageFormat;
  readonly code: string;
  readonly position: number;
  readonly link: string;
};

export function memberImageSvg(
  { format, code, position, link }: MemberImage,
  modules: QrModules,
  style: CardStyle,
): string {
  const layout = MEMBER_IMAGES[format];
  const { left, qr } = layout;
  const { nameY, link: linkBox } = SMALL_PRINT[format];
  const { brand, tokens } = style;
  const name = { x: left, y: nameY, size: 32, face: 'display', fill: tokens.bone } as const;
  const number = `#${position.toLocaleString(brand.language)}`;
  const [before, after] = memberImageWords(format, position, brand);
  return canvas(layout, layout.ghost, tokens, [
    drawGhost(code, layout.ghost, style),
    drawText(brand.name, name, tokens),
    drawNumber([before, number, after], layout, tokens),
    ...(qr === null ? [] : [drawQr(modules, qr, tokens), drawScan(linkBox, qr.y, tokens)]),
    drawLink(link, linkBox, style),
  ]);
}

/** A line, the number in large figures, and another line. */
export function drawNumber(
  [before, number, after]: readonly [string, string, string],
  layout: NumberLayout,
  tokens: Tokens,
): string {
  const { left: x, wordSize } = layout;
  const { size, baselines } = placePosition(number, layout);
  const word = { x, size: wordSize, face: 'display', fill: tokens.bone } as const;
  const figures = { x: x + 1, size, face: 'numeral', fill: tokens.afterglow } as const;
  return [
    drawText(before, { ...word, y: baselines[0] }, tokens),
    drawText(number, { ...figures, y: baselines[1] }, tokens),
    drawText(after, { ...word, y: baselines[2] }, tokens),
  ].join('');
}

function drawQr(modules: QrModules, { x, y, side }: QrBox, tokens: Tokens): string {
  return qrSvg(modules, tokens, `x="${x}" y="${y}" width="${side}" height="${side}"`);
}

function drawScan({ x }: TextBox, top: number, tokens: Tokens): string {
  const headline = { x, size: 52, face: 'display', fill: tokens.bone } as const;
  return cardWords.scan
    .map((line, index) => drawText(line, { ...headline, y: top + 84 + 54 * index }, tokens))
    .join('');
}

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

/** A link that would be too small on one line breaks before its path. */
function breakLink(link: string, box: TextBox): readonly string[] {
  if (fitText(link, 'mono', box) >= MIN_LINK_SIZE) return [link];
  const path = link.indexOf('/');
  return [link.slice(0, path), link.slice(path)];
}
