/** What figures are held against. Pure. */
export type Target = {
  readonly what: string;
  readonly atLeast: number;
  readonly measured: number;
  /** The two rates behind a ratio; null for a figure that stands by itself. */
  readonly of: readonly [number, number] | null;
};

export function ratio(what: string, atLeast: number, rate: number, beside: number): Target {
  return { what, atLeast, measured: rate / beside, of: [rate, beside] };
}

export function isMet({ atLeast, measured }: Target): boolean {
  return measured >= atLeast;
}
