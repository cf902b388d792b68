/** One mask for each chosen entrant, which lights once the record gives the entrant that mask. */
import type { DrawPlace, DrawRecord } from '../../contract/drop/draw-record.ts';
import { paintPath } from '../ui/coarse-paint.ts';
import { partOf, setText, showButton } from './draw-page-parts.ts';

/** The longest show, and the time of each mask in a shorter one. */
const MAX_SHOW_MS = 6000;
const MASK_MS = 60;

/** Hexadecimal digits of a ticket that make a coarse paint: one for each of its rows. */
const PAINT_DIGITS = 11;

type Chosen = { readonly place: number; readonly position: number; readonly size: string };

export type MaskShow = ReturnType<typeof createMaskShow>;

export function createMaskShow(record: DrawRecord, order: readonly DrawPlace[] | null) {
  const sizes = record.announcement?.masks ?? [];
  const total = sizes.reduce((sum, { masks }) => sum + masks, 0);
  const masks = total === 0 ? listMasks() : layMasks(total);
  const chosen: readonly Chosen[] = (order ?? []).flatMap(({ position, size }, index) =>
    size === null ? [] : [{ place: index, position, size }],
  );
  for (const mask of masks) mask.querySelector('path')?.remove();
  for (const [index, { position }] of chosen.entries())
    paint(masks[index], record.entrants[position - 1]?.ticket ?? '');
  const byRank = record.announcement?.by_rank ?? 0;
  let lit = 0;
  let frame = 0;

  /** Compares the entrant that this browser found with the one of the record. */
  function light(index: number): void {
    const mask = masks[index];
    const { place, position, size } = chosen[index] as Chosen;
    const recorded = record.order?.[place];
    const isConfirmed = recorded?.position === position && recorded.size === size;
    mask?.toggleAttribute(isConfirmed ? 'data-lit' : 'data-differs', true);
    setText('count', String(index + 1));
    setText('caption', `#${position}, ${index < byRank ? 'by rank' : 'drawn'}, ${size}`);
  }

  function lightUntil(count: number): void {
    while (lit < count) light(lit++);
  }

  return {
    /** Lights all masks that are still dark. */
    finish(): void {
      cancelAnimationFrame(frame);
      lightUntil(chosen.length);
      setText('caption', '');
    },
    start(onEnd: () => void): void {
      const duration = Math.min(MAX_SHOW_MS, chosen.length * MASK_MS);
      for (const mask of masks) mask.removeAttribute('data-lit');
      lit = 0;
      let start: number | null = null;
      const step = (now: number) => {
        start ??= now;
        lightUntil(Math.ceil(chosen.length * Math.min(1, (now - start) / duration)));
        if (now - start < duration) frame = requestAnimationFrame(step);
        else onEnd();
      };
      frame = requestAnimationFrame(step);
      showButton('Skip', onEnd);
    },
    markOwn(position: number | null): void {
      const ownIndex = chosen.findIndex((drawn) => drawn.position === position);
      for (const [index, mask] of masks.entries())
        mask.toggleAttribute('data-own', index === ownIndex);
    },
  };
}

function paint(mask: Element | undefined, ticket: string): void {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', paintPath(ticket.slice(0, PAINT_DIGITS), 0, 0));
  mask?.append(path);
}

const listMasks = () => [...partOf('masks').children];

/** The page is prerendered with the masks of the brand; this drop may have another number. */
function layMasks(total: number): readonly Element[] {
  const masks = listMasks();
  const [mask] = masks;
  for (let missing = total - masks.length; missing > 0 && mask; missing -= 1)
    partOf('masks').append(mask.cloneNode(true));
  for (const surplus of masks.slice(total)) surplus.remove();
  return listMasks();
}
