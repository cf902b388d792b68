/** Each address has a share of the requests under way. What exceeds it waits in its own queue. */

/** A quarter of the requests that a server works on at once, and enough to keep it busy. */
export const MAX_PER_ADDRESS = 256;
export const MAX_WAITING_PER_ADDRESS = 1_200;

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
