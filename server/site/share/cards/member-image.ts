import {
  fitText,
  MEMBER_IMAGES,
  type MemberImageLayout,
  memberImageWords,
  type NumberLayout,
  type NumberWords,
  placeWords,
  SMALL_PRINT,
  type TextBox,
} from '../../../../contract/member-image.ts';
import type { ImageFormat } from '../../../../contract/paths.ts';
import type { CardStyle, Tokens } from '../brand-folder.ts';
import { canvas, drawGhost } from './canvas.ts';
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
  const name = { x: left, size: 32, face: 'display', fill: tokens.bone } as const;
  const number = `#${position.toLocaleString(brand.language)}`;
  const [before, after] = memberImageWords(format, position, brand);
  return canvas(layout, layout.ghost, tokens, [
    drawGhost(code, layout.ghost, style),
    ...(nameY === null ? [] : [drawText(brand.name, { ...name, y: nameY }, tokens)]),
    drawNumber([before, number, after], layout, tokens),
    ...(qr === null ? [] : [drawQr(modules, qr, tokens), drawScan(linkBox, qr.y, tokens)]),
    drawLink(link, format, style),
  ]);
}

/** A line, the number in large figures, and another line. */
export function drawNumber(words: NumberWords, layout: NumberLayout, tokens: Tokens): string {
  const { left: x } = layout;
  const { before, number, after } = placeWords(words, layout);
  const word = { x, face: 'display', fill: tokens.bone } as const;
  const figures = { x: x + 1, face: 'numeral', fill: tokens.afterglow } as const;
  return [
    drawText(before.text, { ...before, ...word }, tokens),
    drawText(number.text, { ...number, ...figures }, tokens),
    drawText(after.text, { ...after, ...word }, tokens),
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

function drawLink(link: string, format: ImageFormat, { brand, tokens }: CardStyle): string {
  const { nameY, link: box } = SMALL_PRINT[format];
  const { x, y } = box;
  const lines = breakLink(link.replace(/^https?:\/\//, ''), box);
  const size = Math.min(...lines.map((line) => fitText(line, 'mono', box)));
  const about = [
    ...(nameY === null ? [brand.name] : []),
    ...[cardWords.scarcity(brand.maskCount), cardWords.noRestocks],
  ].join(' / ');
  const place = { x, face: 'mono' } as const;
  const printed = { ...place, size, fill: tokens.afterglow, isAsWritten: true };
  return [
    ...lines
      .toReversed()
      .map((line, index) => drawText(line, { ...printed, y: y - index * LINE_HEIGHT }, tokens)),
    drawText(about, { ...place, y: y + 42, size: 20, fill: tokens.fog }, tokens),
  ].join('');
}

/** A link that would be too small on one line breaks before its path. */
function breakLink(link: string, box: TextBox): readonly string[] {
  if (fitText(link, 'mono', box) >= MIN_LINK_SIZE) return [link];
  const path = link.indexOf('/');
  return [link.slice(0, path), link.slice(path)];
}
