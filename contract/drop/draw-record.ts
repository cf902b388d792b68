/** The public record of a drop: everything that a check of its draw needs. */

/** Somebody on the frozen list. Named by a ticket, which only a member id leads to. */
export type DrawEntrant = {
  readonly position: number;
  /** SHA-256 in hexadecimal, like every hash of the record. */
  readonly ticket: string;
  readonly points: number;
  /** The preferred one first. */
  readonly sizes: readonly string[];
  /** Any size, once those are gone. */
  readonly takes_any: boolean;
};

export type FrozenList = {
  readonly number: number;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly frozen_at: string;
  /** Salt of the tickets, in hexadecimal. */
  readonly salt: string;
  /** Ordered by position, without gaps. */
  readonly entrants: readonly DrawEntrant[];
};

/** Where the randomness comes from: nowhere, a round of quicknet, or a seed with this hash. */
export type Randomness =
  | { readonly source: 'none' }
  | { readonly source: 'quicknet'; readonly round: number }
  | { readonly source: 'seed'; readonly commitment: string };

/** Fixed before anybody can know the outcome. */
export type Announcement = {
  readonly number: number;
  readonly list_hash: string;
  readonly masks: readonly { readonly size: string; readonly masks: number }[];
  /** Masks that go by rank; the others are drawn. */
  readonly by_rank: number;
  /** How many of the first entrants take part in the draw; 0 when all masks go by rank. */
  readonly drawn_among: number;
  readonly randomness: Randomness;
  /** ISO 8601 in UTC, with milliseconds. */
  readonly announced_at: string;
};

/** An entrant's place in the draw order; `size` of a mask for those who are chosen. */
export type DrawPlace = { readonly position: number; readonly size: string | null };

export type DrawRecord = FrozenList & {
  readonly list_hash: string;
  readonly announcement: Announcement | null;
  readonly announcement_hash: string | null;
  /** The round's signature or the seed in hexadecimal; null before, and without randomness. */
  readonly evidence: string | null;
  readonly order: readonly DrawPlace[] | null;
};
