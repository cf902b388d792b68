import { apiPaths } from '../../contract/paths.ts';

export type Joins = { answered: number; refused: number; longestMs: number };

/** Visitors join at a steady rate, whether or not others are answered, until it is stopped. */
export function startJoins(
  url: string,
  { tag, perSecond }: { tag: string; perSecond: number },
): { stop(): Promise<Joins> } {
  const joins: Joins = { answered: 0, refused: 0, longestMs: 0 };
  const open = new Set<Promise<void>>();
  let count = 0;
  async function joinOnce(): Promise<void> {
    const askedAt = performance.now();
    count += 1;
    const response = await fetch(url + apiPaths.join(), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${tag}-${count}@joins.example`, referred_by: null }),
    }).catch(() => null);
    await response?.text();
    if (response?.status === 201) joins.answered += 1;
    else joins.refused += 1;
    joins.longestMs = Math.max(joins.longestMs, performance.now() - askedAt);
  }
  const timer = setInterval(() => {
    const one = joinOnce().finally(() => open.delete(one));
    open.add(one);
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return joins;
    },
  };
}
