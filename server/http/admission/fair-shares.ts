/** What one address may have under way, and what it may send. */

/** A quarter of the requests that a server works on at once, and enough to keep it busy. */
export const MAX_PER_ADDRESS = 256;
export const MAX_WAITING_PER_ADDRESS = 1_200;

/** What exceeds the share of an address waits in its own queue. */
export function openFairShares<T>() {
  const shares = new Map<string, { begun: number; readonly waiting: Set<T> }>();
  return {
    enter(key: string, item: T): 'begins' | 'waits' | 'refused' {
      const share = shares.get(key);
      if (share === undefined) {
        shares.set(key, { begun: 1, waiting: new Set() });
        return 'begins';
      }
      if (share.begun < MAX_PER_ADDRESS) {
        share.begun += 1;
        return 'begins';
      }
      if (share.waiting.size >= MAX_WAITING_PER_ADDRESS) return 'refused';
      share.waiting.add(item);
      return 'waits';
    },
    /** Call once for each item that has begun or waits. Returns the item that begins instead. */
    leave(key: string, item: T): T | null {
      const share = shares.get(key);
      if (share === undefined || share.waiting.delete(item)) return null;
      const [next] = share.waiting;
      if (next !== undefined) {
        share.waiting.delete(next);
        return next;
      }
      share.begun -= 1;
      if (share.begun === 0) shares.delete(key);
      return null;
    },
  };
}

const WINDOW_MS = 10_000;
/** 200 people behind one address who open the site and join within ten seconds send 6,400. */
export const MAX_PER_WINDOW = 10_000;

/** Windows are forgotten as a whole: nothing is evicted, and memory is bounded. */
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
