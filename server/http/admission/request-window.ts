/** Windows are forgotten as a whole: nothing is evicted, and memory is bounded. */

const WINDOW_MS = 10_000;
/** 200 people behind one address who open the site and join within ten seconds send 6,400. */
export const MAX_PER_WINDOW = 10_000;

export function openRequestWindow(now = () => performance.now()) {
  let index = 0;
  let counts = new Map<string, number>();
  return {
    count(key: string): number {
      const windows = now() / WINDOW_MS;
      if (Math.floor(windows) !== index) {
        index = Math.floor(windows);
        counts = new Map();
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count <= MAX_PER_WINDOW) return 0;
      return Math.ceil(((index + 1 - windows) * WINDOW_MS) / 1000);
    },
  };
}
