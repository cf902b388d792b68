/** One digit of a number. `was`: the digit before; null without one or if it is the same. */
export type DigitChange = { readonly digit: string; readonly was: string | null };

/** Compares two numbers digit by digit from the units. */
export function diffDigits(before: string | null, now: string): DigitChange[] {
  return [...now].map((digit, index) => {
    const was = before?.at(index - now.length) ?? null;
    return { digit, was: was === digit ? null : was };
  });
}
