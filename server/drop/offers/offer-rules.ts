/** When offers are made and reminded of, and in which size. */
import { takeSize } from '../../../contract/drop/draw-order-rules.ts';
import type { MaskSize } from '../stock/size-rules.ts';

/** A part of each day in which members are not disturbed, in the time zone of the drop. */
export type QuietHours = {
  readonly timeZone: string;
  /** "22:00", like `until`; null: there is none. */
  readonly from: string | null;
  readonly until: string | null;
};

/** Somebody who can get a mask. */
type Taker = {
  readonly sizes: readonly string[];
  readonly takes_any: boolean;
  /** The size that the draw gave them; null for those who follow. */
  readonly chosen_size: string | null;
};

/** "November 22 at 8:00 PM UTC" */
export function describeEnd(
  { expiresAt, timeZone }: { readonly expiresAt: Date; readonly timeZone: string },
  language: string,
): string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone,
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return format.format(expiresAt);
}

export function isQuiet(at: Date, { timeZone, from, until }: QuietHours): boolean {
  if (from === null || until === null || from === until) return false;
  const now = timeOfDay(at, timeZone);
  return from < until ? from <= now && now < until : from <= now || now < until;
}

function timeOfDay(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return format.format(at);
}

export function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/**
 * Gives each taker the size that they drew or, when it is gone, the first size of their wish that
 * is left. Takers for whom no size is left get none.
 */
export function shareOut<One extends Taker>(
  takers: readonly One[],
  sizes: readonly Pick<MaskSize, 'name' | 'available'>[],
): { taker: One; size: string }[] {
  const left = new Map(sizes.map(({ name, available }) => [name, available]));
  return takers.flatMap((taker) => {
    const { chosen_size: chosen, ...wish } = taker;
    const wished = chosen === null ? wish.sizes : [chosen, ...wish.sizes];
    const size = takeSize(left, { ...wish, sizes: wished });
    return size === null ? [] : [{ taker, size }];
  });
}
