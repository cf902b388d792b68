/** An open loop of joins: each is sent on schedule, whether or not earlier ones were answered. */
import { openConnection } from './connection.ts';
import { joinText } from './requests.ts';

export type Joins = Awaited<ReturnType<ReturnType<typeof startJoins>['stop']>>;

export function startJoins(port: number, { tag, perSecond }: { tag: string; perSecond: number }) {
  const open = new Set<Promise<void>>();
  const timesMs: number[] = [];
  let refused = 0;
  let count = 0;
  async function joinOnce(): Promise<void> {
    const sentAt = performance.now();
    count += 1;
    const name = `${tag}-${count}`;
    const connection = openConnection(port);
    const text = joinText({ email: `${name}@joins.example`, code: null, key: name });
    const status = await connection.send(text).then(
      (answer) => answer.status,
      () => 0,
    );
    connection.close();
    if (status !== 201) refused += 1;
    timesMs.push(performance.now() - sentAt);
  }
  const timer = setInterval(() => {
    const one = joinOnce().finally(() => open.delete(one));
    open.add(one);
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      return { answered: timesMs.length - refused, refused, longestMs: Math.max(...timesMs) };
    },
  };
}
