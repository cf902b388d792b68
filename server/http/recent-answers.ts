/** Caches answers, so that many open consoles cost as much as one. */
export type RecentAnswers<T> = (key: string, ask: () => Promise<T>) => Promise<T>;

/** Holds at most the `maxKeys` newest answers, and no failure. */
export function keepAnswers<T>(
  { forMs, maxKeys }: { readonly forMs: number; readonly maxKeys: number },
  clock: () => number = () => performance.now(),
): RecentAnswers<T> {
  const kept = new Map<string, { readonly askedAt: number; readonly answer: Promise<T> }>();

  return async (key, ask) => {
    const known = kept.get(key);
    if (known !== undefined && clock() - known.askedAt < forMs) return await known.answer;
    kept.delete(key);
    for (const oldest of kept.keys()) {
      if (kept.size < maxKeys) break;
      kept.delete(oldest);
    }
    const answer = ask();
    kept.set(key, { askedAt: clock(), answer });
    try {
      return await answer;
    } catch (error) {
      if (kept.get(key)?.answer === answer) kept.delete(key);
      throw error;
    }
  };
}
