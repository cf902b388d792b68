/** ISO 4217 and docs.stripe.com/currencies say so. ICU counts what is in use, and changes it. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF';
const WITH_THREE = 'BHD IQD JOD KWD LYD OMR TND';

/** Digits after the point of a price. */
export function decimalsOf(currency: string): number {
  const code = currency.toUpperCase();
  return WITHOUT_DECIMALS.includes(code) ? 0 : WITH_THREE.includes(code) ? 3 : 2;
}

/** "99.00" of 9900 in EUR, "9900" in JPY. */
export function writeAmount(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return (cents / 10 ** decimals).toFixed(decimals);
}
