/** Longest time for which the main thread works without a pause. */
const SLICE_MS = 4;

export const pause = (ms?: number) => new Promise((end) => setTimeout(end, ms));

/** Runs long work in slices between which the page answers. */
export async function runInSlices<Result>(steps: Iterator<void, Result>): Promise<Result> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < until);
    await pause();
  }
}
