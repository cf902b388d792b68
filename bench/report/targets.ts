export type Target = {
  readonly what: string;
  readonly measured: number;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly of?: readonly [number, number];
};

export function ratio(what: string, atLeast: number, rate: number, beside: number): Target {
  return { what, atLeast, measured: rate / beside, of: [rate, beside] };
}

export function isMet({ measured, atLeast = -Infinity, atMost = Infinity }: Target): boolean {
  return measured >= atLeast && measured <= atMost;
}
