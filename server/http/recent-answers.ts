export type RecentAnswers<T> = (key: string, read: () => Promise<T>) => Promise<T>;

export function keepAnswers<T>(
  { forMs, maxKeys }: { readonly forMs: number; readonly maxKeys: number },
  clock: () => number = () => performance.now(),
): RecentAnswers<T> {
  const cached = new Map<string, { readonly readAt: number; readonly answer: Promise<T> }>();

  return async (key, read) => {
    const recent = cached.get(key);
    if (recent !== undefined && clock() - recent.readAt < forMs) return await recent.answer;
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
