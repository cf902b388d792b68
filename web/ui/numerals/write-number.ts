let format: Intl.NumberFormat | undefined;

/**
 * With separators, as the language of the page writes them. The format is kept, because
 * `toLocaleString` looks the language up each time: 50 ms on a phone.
 */
export function writeNumber(value: number): string {
  format ??= new Intl.NumberFormat(globalThis.document?.documentElement.lang || undefined);
  return format.format(value);
}
