import type { CardStyle } from '../brand-folder.ts';
import { canvas, drawGhost } from './canvas.ts';
import { cardWords, drawText, fitDisplay, type TextPlace } from './draw-text.ts';

const SIZE = { width: 1200, height: 630 };
const GHOST = { x: 752, y: 28, width: 392, height: 574 };
const LEFT = 64;

const HEADLINE = { width: 720, max: 112 };
const LEADING = 0.93;

/** The letter O is in no valid code, so no member has this face. */
const SITE_FACE = 'GHOST00000';

export function inviteCardSvg(code: string, style: CardStyle): string {
  return linkCard({ face: code, headline: cardWords.invited, label: `Code ${code}` }, style);
}

/** The card of links to the site itself, which is a file of the brand. */
export function siteCardSvg(style: CardStyle): string {
  return linkCard({ face: SITE_FACE, headline: style.brand.copy.headline, label: '' }, style);
}

type LinkCard = {
  readonly face: string;
  readonly headline: readonly [string, string];
  readonly label: string;
};

function linkCard({ face, headline: lines, label: last }: LinkCard, style: CardStyle): string {
  const { brand, tokens } = style;
  const text = (words: string, place: TextPlace) => drawText(words, place, tokens);
  const sizes = [...brand.sizes.map(({ name }) => name), cardWords.noRestocks].join(' / ');
  const size = fitDisplay(lines, HEADLINE);
  const headline = { x: LEFT - 4, size, face: 'display', fill: tokens.bone } as const;
  const label = { x: LEFT, size: 20, face: 'mono', fill: tokens.fog } as const;
  return canvas(SIZE, GHOST, tokens, [
    drawGhost(face, GHOST, style),
    text(brand.name, { x: LEFT, y: 90, size: 30, face: 'display', fill: tokens.bone }),
    text(lines[0], { ...headline, y: 258 }),
    text(lines[1], { ...headline, y: 258 + Math.round(size * LEADING) }),
    text(cardWords.scarcity(brand.maskCount), {
      x: LEFT,
      y: 478,
      size: 42,
      face: 'display',
      fill: tokens.afterglow,
    }),
    text(sizes, { ...label, y: 528 }),
    text(last, { ...label, y: 566 }),
  ]);
}
