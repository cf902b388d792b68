/** `available` is the stock less the allocations that are not released, and less the offers. */
export type MaskSize = {
  readonly name: string;
  readonly stock: number;
  readonly allocated: number;
  /** To members: offers that are open, and passes. */
  readonly offered: number;
  /** Of the offered ones those with a pass. */
  readonly accepted: number;
  readonly available: number;
};

export type Allocation = {
  readonly id: string;
  readonly size: string;
  readonly quantity: number;
  readonly note: string;
  /** ISO 8601 in UTC, like releasedAt. */
  readonly allocatedAt: string;
  readonly releasedAt: string | null;
  readonly releaseNote: string | null;
};
