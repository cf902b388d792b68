/** Milliseconds for which the first key of "g m" waits for the second. */
export const SEQUENCE_MS = 1500;

export type Press = {
  readonly key: string;
  readonly hasModifier: boolean;
  readonly isTyping: boolean;
};

/** Sequences such as "j" or "g m", longest first. `pending`: the key before, if it came in time. */
export function keysToTry(press: Press, pending: string | null): readonly string[] {
  const isLetter = [...press.key].length === 1 && press.key !== ' ';
  if (press.hasModifier || press.isTyping || !isLetter) return [];
  return pending === null ? [press.key] : [`${pending} ${press.key}`, press.key];
}
