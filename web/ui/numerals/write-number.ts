/**
 * `value` is a whole number from 0. The document brings the mark between its groups, because Intl
 * keeps a phone busy for 80 ms before the first number.
 */
export function writeNumber(value: number): string {
  const root = globalThis.document?.documentElement;
  const mark = root?.dataset.group;
  return mark ? String(value).replace(/\B(?=(\d{3})+$)/g, mark) : value.toLocaleString(root?.lang);
}
