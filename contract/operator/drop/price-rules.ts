/** Digits after the point of a price. Throws RangeError for what is no code of a currency. */
export function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** "99.00" of 9900 in EUR, "9900" in JPY. */
export function writeAmount(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return (cents / 10 ** decimals).toFixed(decimals);
}
