import { takeSize } from '../../../contract/drop/draw-order-rules.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import type { MaskSize } from '../../../contract/operator/masks.ts';

type QuietHours = Omit<NonNullable<DropFacts['terms']>, 'minutes'>;

/** A wish, and the size from the draw; null for an entrant who was not chosen. */
type Taker = {
  readonly sizes: readonly string[];
  readonly takes_any: boolean;
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

/** Members are not disturbed in the quiet hours of each day, in the time zone of the drop. */
export function isQuiet(at: Date, drop: QuietHours): boolean {
  const { time_zone: timeZone, quiet_from: from, quiet_until: until } = drop;
  if (from === null || until === null || from === until) return false;
  const twoDigits = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const now = new Intl.DateTimeFormat('en-GB', { timeZone, ...twoDigits }).format(at);
  return from < until ? from <= now && now < until : from <= now || now < until;
}

export function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/**
 * How many codes of the shop each size lacks, as words such as "3 for Small, 2 for Large"; null
 * when codes for any size make up for it.
 */
export function describeMissingCodes(
  sizes: readonly Pick<MaskSize, 'name' | 'held'>[],
  codes: readonly { readonly size: string | null; readonly free: number }[],
): string | null {
  const free = new Map(codes.map(({ size, free }) => [size, free]));
  const lacking = sizes
    .map(({ name, held }) => ({ name, missing: held - (free.get(name) ?? 0) }))
    .filter(({ missing }) => missing > 0);
  const fitAny = free.get(null) ?? 0;
  if (lacking.reduce((sum, { missing }) => sum + missing, 0) <= fitAny) return null;
  const words = lacking.map(({ name, missing }) => `${missing} for ${name}`).join(', ');
  return fitAny === 0 ? words : `${words}, of which ${fitAny} for any size are there`;
}

/**
 * Gives each taker the size that they drew or, when it is gone, the first size of their wish that
 * is left. Takers for whom no size is left get none.
 */
export function shareOut<One extends Taker>(
  takers: readonly One[],
  sizes: readonly Pick<MaskSize, 'name' | 'held'>[],
): { taker: One; size: string }[] {
  const left = new Map(sizes.map(({ name, held }) => [name, held]));
  return takers.flatMap((taker) => {
    const { chosen_size: chosen, ...wish } = taker;
    const wished = chosen === null ? wish.sizes : [chosen, ...wish.sizes];
    const size = takeSize(left, { ...wish, sizes: wished });
    return size === null ? [] : [{ taker, size }];
  });
}
