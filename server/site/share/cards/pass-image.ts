import { editionWords } from '../../../../brand/drop-words.ts';
import type { NumberWords } from '../../../../contract/member-image.ts';
import type { PASS_FORMATS } from '../../../../contract/paths.ts';
import type { PassView } from '../../../drop/views/drop-standing.ts';
import type { CardStyle, Tokens } from '../brand-folder.ts';
import { canvas, drawGhost } from './canvas.ts';
import { drawText } from './draw-text.ts';
import { drawNumber } from './member-image.ts';

export type PassImage = {
  readonly format: (typeof PASS_FORMATS)[number];
  readonly code: string;
  readonly pass: PassView;
};

const NOTCH = 26;
/** Where the stub begins, from the lower end of the ticket. */
const STUB = 196;

/** Apps cover the lower end of a story. */
const LAYOUTS = {
  tall: {
    width: 1080,
    height: 1920,
    ticket: { x: 70, y: 150, width: 940, height: 1440 },
    ghost: { x: 262, y: 196, width: 556, height: 814 },
    left: 130,
    wordSize: 60,
    middleY: 1196,
    numeral: { width: 820, maxSize: 264 },
  },
  square: {
    width: 1080,
    height: 1080,
    ticket: { x: 48, y: 48, width: 984, height: 984 },
    ghost: { x: 540, y: 108, width: 448, height: 656 },
    left: 104,
    wordSize: 52,
    middleY: 440,
    numeral: { width: 470, maxSize: 250 },
  },
} as const;

/** Draws a pass to be posted: without its code, which is worth a mask. */
export function passImageSvg({ format, code, pass }: PassImage, style: CardStyle): string {
  const layout = LAYOUTS[format];
  const { ghost, left, ticket } = layout;
  const { brand, tokens } = style;
  const stubY = ticket.y + ticket.height - STUB;
  const text = { x: left, fill: tokens.bone };
  const about = `Drop ${pass.drop} / Size ${pass.size}`;
  const charged = { ...tokens, 'ghost-paint': tokens.bone };
  return canvas(layout, ghost, charged, [
    drawTicket(ticket, stubY, tokens),
    drawGhost(code, ghost, style),
    drawNumber(wordsOf(pass, style), layout, tokens),
    drawText(brand.name, { ...text, y: stubY + 92, size: 46, face: 'display' }, tokens),
    drawText(about, { ...text, y: stubY + 144, size: 28, face: 'mono' }, tokens),
  ]);
}

function wordsOf(
  { edition, position }: PassView,
  { brand: { language, specified } }: CardStyle,
): NumberWords {
  if (edition === null)
    return [specified.memberName, `#${position.toLocaleString(language)}`, 'has a mask'];
  return editionWords(edition, language);
}

type Ticket = (typeof LAYOUTS)[keyof typeof LAYOUTS]['ticket'];

function drawTicket({ x, y, width, height }: Ticket, stubY: number, tokens: Tokens): string {
  const edge = `stroke="${tokens.afterglow}" stroke-width="3" stroke-opacity=".5"`;
  const sides = `x="${x}" y="${y}" width="${width}" height="${height}" rx="36"`;
  const notch = (at: number) =>
    `<circle cx="${at}" cy="${stubY}" r="${NOTCH}" fill="${tokens.void}"/>`;
  return [
    `<rect ${sides} fill="${tokens.deep}" fill-opacity=".55" ${edge}/>`,
    `<path d="M${x + 2 * NOTCH} ${stubY}h${width - 4 * NOTCH}" ${edge} stroke-dasharray="4 14"`,
    ` stroke-linecap="round"/>${notch(x)}${notch(x + width)}`,
  ].join('');
}
