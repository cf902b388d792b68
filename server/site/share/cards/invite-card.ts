import { canvas, drawGhost } from './canvas.ts';
import type { CardStyle } from './card-style.ts';
import { cardWords, drawText, type TextPlace } from './draw-text.ts';

const SIZE = { width: 1200, height: 630 };
const GHOST = { x: 752, y: 28, width: 392, height: 574 };
const LEFT = 64;

export function inviteCardSvg(code: string, style: CardStyle): string {
  const { brand, tokens } = style;
  const text = (words: string, place: TextPlace) => drawText(words, place, tokens);
  const sizes = [...brand.sizes.map(({ name }) => name), cardWords.noRestocks].join(' / ');
  const [first, second] = cardWords.invited;
  const headline = { x: LEFT - 4, size: 112, face: 'display', fill: tokens.bone } as const;
  const label = { x: LEFT, size: 20, face: 'mono', fill: tokens.fog } as const;
  return canvas(SIZE, GHOST, tokens, [
    drawGhost(code, GHOST, style),
    text(brand.name, { x: LEFT, y: 90, size: 30, face: 'display', fill: tokens.bone }),
    text(first, { ...headline, y: 258 }),
    text(second, { ...headline, y: 362 }),
    text(cardWords.scarcity(brand.maskCount), {
      x: LEFT,
      y: 478,
      size: 42,
      face: 'display',
      fill: tokens.afterglow,
    }),
    text(sizes, { ...label, y: 528 }),
    text(`Code ${code}`, { ...label, y: 566 }),
  ]);
}
