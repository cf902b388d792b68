/**
 * `value` is a whole number from 0. The document brings the mark between its groups, because Intl
 * keeps a phone busy for 80 ms before the first number.
 */
export function writeNumber(value: number): string {
  const { lang, dataset } = globalThis.document?.documentElement ?? {};
  return dataset?.group === undefined
    ? value.toLocaleString(lang)
    : String(value).replace(/\B(?=(\d{3})+$)/g, dataset.group);
}
