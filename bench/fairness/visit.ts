import type { SeededRandom } from '../../brand/art/seeded-random.ts';

export type Visit = {
  /** False when its credit should not count. A visit without a referrer brings no credit. */
  readonly isHonest: boolean;
  readonly person: string;
  readonly referrer: string | null;
  readonly email: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly language: string;
  readonly referringHost: string | null;
  /** Seconds between opening the page and sending the form; null: the page was never opened. */
  readonly secondsOnPage: number | null;
  readonly confirms: boolean;
  /** Somebody else has the address, who enters it, too, and confirms. */
  readonly isOfOther?: true;
  /** Seconds from the beginning of the simulation. */
  readonly at: number;
};

export type KnownVisit = Visit & { readonly kind: string };

export type World = {
  readonly seed: string;
  /** Second in which the group begins. */
  readonly start: number;
};

export type Given = (
  random: SeededRandom,
  number: number,
) => Partial<Visit> & { readonly at: number };

export type MakeVisits = (world: World) => Visit[];

export const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
