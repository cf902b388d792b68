let format: Intl.NumberFormat | undefined;

/**
 * Formats with separators. The format is cached, because `toLocaleString` looks the language up
 * each time: 50 ms on a phone.
 */
export function writeNumber(value: number): string {
  format ??= new Intl.NumberFormat(globalThis.document?.documentElement.lang || undefined);
  return format.format(value);
}
