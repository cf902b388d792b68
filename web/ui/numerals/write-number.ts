let format: Intl.NumberFormat | undefined;

/** The format is cached, because `toLocaleString` takes 50 ms on a phone. */
export function writeNumber(value: number): string {
  format ??= new Intl.NumberFormat(globalThis.document?.documentElement.lang || undefined);
  return format.format(value);
}
