import { takeSize } from '../../../contract/drop/draw-order-rules.ts';
import type { DropFacts } from '../../../contract/operator/drop/drop-facts.ts';
import { decimalsOf } from '../../../contract/operator/drop/price-rules.ts';
import type { MaskSize } from '../../../contract/operator/masks.ts';
import { countOf } from '../../changes/count-words.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../durations.ts';

type QuietHours = Omit<NonNullable<DropFacts['terms']>, 'minutes' | 'pay_hours'>;

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

/** What the mask costs; null where the till does not say. */
export type Price = { readonly cents: number | null; readonly currency: string | null };

/** `plus`: what the checkout adds, such as shipping. */
export type Cost = { readonly cents: number; readonly currency: string; readonly plus?: string };

/** "€99.00 plus shipping" */
export function describeCost({ cents, currency, plus }: Cost, language: string): string {
  const digits = decimalsOf(currency);
  const format = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return format.format(cents / 10 ** digits) + (plus ? ` plus ${plus}` : '');
}

export function isQuiet(
  at: Date,
  { quiet_from: from, quiet_until: until, time_zone: timeZone }: QuietHours,
  clock?: ReturnType<typeof openWallClock>,
): boolean {
  if (from === null || until === null || from === until) return false;
  const now = (clock ?? openWallClock(timeZone))(at);
  return from < until ? from <= now && now < until : from <= now || now < until;
}

function openWallClock(timeZone: string): (at: Date) => string {
  const twoDigits = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const { format } = new Intl.DateTimeFormat('en-GB', { timeZone, ...twoDigits });
  return format;
}

export function awakeFrom(at: Date, hours: QuietHours): Date {
  return isQuiet(at, hours) ? edgeOfQuiet(at, hours, 1) : at;
}

/** The next minute that is not quiet, or the last one. Walking is right when clocks change. */
function edgeOfQuiet(at: Date, hours: QuietHours, direction: 1 | -1): Date {
  const clock = openWallClock(hours.time_zone);
  let minute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS;
  for (
    let left = DAY_MS / MINUTE_MS;
    left > 0 && isQuiet(new Date(minute), hours, clock);
    left -= 1
  )
    minute += direction * MINUTE_MS;
  return new Date(minute);
}

export type OfferTerms = QuietHours & { readonly offer_minutes: number };
export type OfferTimes = { readonly expires_at: Date; readonly remind_at: Date };

/** An offer whose mail is about to be handed over begins on the minute, at the latest in two. */
export function timesFromMail(now: Date, terms: OfferTerms): OfferTimes {
  return timesFrom(new Date((Math.ceil(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS), terms);
}

export function timesFrom(begin: Date, terms: OfferTerms): OfferTimes {
  const from = awakeFrom(begin, terms);
  const end = new Date(from.getTime() + terms.offer_minutes * MINUTE_MS);
  return timesUntil(end, { from, hours: terms });
}

export function timesUntil(
  end: Date,
  { from, hours }: { readonly from: Date; readonly hours: QuietHours },
): OfferTimes {
  const expires_at = awakeFrom(end, hours);
  return { expires_at, remind_at: reminderBetween(from, expires_at, hours) };
}

const REMIND_BEFORE_MS = 2 * HOUR_MS;
/** Time that a reminder after the quiet hours leaves at least; else it comes before them. */
const LEFT_AFTER_QUIET_MS = HOUR_MS;

/** Half-way to the end, and in quiet hours only when these last from now to the end. */
export function timeToRemind(from: Date, payBy: Date, hours: QuietHours): Date {
  const awake = reminderBetween(from, payBy, hours, Number.POSITIVE_INFINITY);
  return awake < payBy ? awake : new Date((from.getTime() + payBy.getTime()) / 2);
}

/** Reminds `beforeMs` before the end, or half-way through a shorter time; never in quiet hours. */
function reminderBetween(
  from: Date,
  end: Date,
  hours: QuietHours,
  beforeMs = REMIND_BEFORE_MS,
): Date {
  const half = (end.getTime() - from.getTime()) / 2;
  const usual = new Date(end.getTime() - Math.min(beforeMs, half));
  const awake = awakeFrom(usual, hours);
  const isInTime = end.getTime() - awake.getTime() >= Math.min(LEFT_AFTER_QUIET_MS, half);
  if (isInTime || isQuiet(from, hours)) return awake;
  const quiet = edgeOfQuiet(usual, hours, -1).getTime() + MINUTE_MS;
  return new Date(Math.max(quiet - HOUR_MS, (from.getTime() + quiet) / 2));
}

export function isTimeOfDay(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** Words such as "3 for Small, 2 for Large"; null when codes for any size make up for it. */
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

/** Gives the size that was drawn or, when it is gone, the first one of the wish that is left. */
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

export function describeMinutes(minutes: number): string {
  return minutes % 60 === 0 ? countOf(minutes / 60, 'hour') : countOf(minutes, 'minute');
}
