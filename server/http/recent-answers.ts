export type RecentAnswers<T> = (key: string, read: () => Promise<T>) => Promise<T>;

export function keepAnswers<T>(
  { forMs, maxKeys }: { readonly forMs: number; readonly maxKeys: number },
  clock: () => number = () => performance.now(),
): RecentAnswers<T> {
  const cached = new Map<string, { readonly readAt: number; readonly answer: Promise<T> }>();

  return async (key, read) => {
    const known = cached.get(key);
    if (known !== undefined && clock() - known.readAt < forMs) return await known.answer;
    cached.delete(key);
    for (const oldest of cached.keys()) {
      if (cached.size < maxKeys) break;
      cached.delete(oldest);
    }
    const answer = read();
    cached.set(key, { readAt: clock(), answer });
    try {
      return await answer;
    } catch (error) {
      if (cached.get(key)?.answer === answer) cached.delete(key);
      throw error;
    }
  };
}
