/** One place of a number: what stands there, and what stood there before; null where nothing did, or nobody saw it. */
export type SettlingDigit = { readonly digit: string; readonly was: string | null; readonly isChanged: boolean };

/** Sets a new number against the one before it, units under units. Without one before it, every place is new. */
export function settleDigits(before: string | null, now: string): SettlingDigit[] {
  return [...now].map((digit, index) => {
    const was = before?.at(index - now.length) ?? null;
    return { digit, was: was === digit ? null : was, isChanged: was !== digit };
  });
}
