/** Pseudo-random choices, the same for the same referral code in any letter case. */
export type SeededRandom = {
  /** A number from `low` up to, not including, `high`. */
  between(low: number, high: number): number;
  /** One of `choices`. */
  pick<Choice>(choices: readonly [Choice, ...Choice[]]): Choice;
  /** True with this probability (0 to 1). */
  chance(probability: number): boolean;
};

/** FNV-1a over the upper-case code seeds a Mulberry32 generator: tiny, the same in every engine. */
export function seedRandom(code: string): SeededRandom {
  let state = fnv1a(code.toUpperCase());
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (low, high) => low + next() * (high - low),
    pick: <Choice>(choices: readonly [Choice, ...Choice[]]) =>
      choices[Math.floor(next() * choices.length)] as Choice,
    chance: (probability) => next() < probability,
  };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
