/** The longest pause between two steps of a count. */
const LOOK_EVERY_MS = 10;

export type PauseWatch = {
  /** The longest pause that ends after `from`, in milliseconds of performance.now(). */
  longestSince(from: number): number;
  stop(): void;
};

export function watchPauses(countNow: () => number): PauseWatch {
  const steps = [performance.now()];
  let count = countNow();
  const timer = setInterval(() => {
    const now = countNow();
    if (now !== count) steps.push(performance.now());
    count = now;
  }, LOOK_EVERY_MS);
  return {
    longestSince(from) {
      const moments = [...steps, performance.now()];
      let longest = 0;
      for (let index = 1; index < moments.length; index += 1) {
        const [before = 0, after = 0] = [moments[index - 1], moments[index]];
        if (after > from) longest = Math.max(longest, after - before);
      }
      return longest;
    },
    stop: () => clearInterval(timer),
  };
}
