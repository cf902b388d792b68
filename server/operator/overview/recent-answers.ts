/** Answers given again for some seconds, so that many open consoles cost as much as one. */
export type RecentAnswers<T> = (key: string, ask: () => Promise<T>) => Promise<T>;

const MAX_KEYS = 20;

/** A failure is not kept. */
export function keepAnswers<T>(
  forMs: number,
  clock: () => number = () => performance.now(),
): RecentAnswers<T> {
  const kept = new Map<string, { readonly askedAt: number; readonly answer: Promise<T> }>();
  return async (key, ask) => {
    for (const [old, { askedAt }] of kept) if (clock() - askedAt >= forMs) kept.delete(old);
    const known = kept.get(key);
    if (known !== undefined) return await known.answer;
    const answer = ask();
    if (kept.size < MAX_KEYS) kept.set(key, { askedAt: clock(), answer });
    try {
      return await answer;
    } catch (error) {
      if (kept.get(key)?.answer === answer) kept.delete(key);
      throw error;
    }
  };
}
