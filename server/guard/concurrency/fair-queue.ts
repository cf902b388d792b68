/** A bounded queue that is fair between keys, such as addresses. */

export type FairQueue<Item> = {
  /**
   * Adds an item behind its key's others. A full queue drops, and returns, the newest item of the
   * key with the most, or `item` itself if its own key has as many.
   */
  push(key: string, item: Item): Item | null;
  /** Adds an item ahead of its key's others, even to a full queue. */
  putFirst(key: string, item: Item): void;
  /** Takes the oldest item of the next key that `mayGo`. Null for none. */
  shift(mayGo?: (key: string) => boolean): Item | null;
  take(isWanted: (item: Item) => boolean): Item[];
};

export function openFairQueue<Item>(maxWaiting: number): FairQueue<Item> {
  /** Items by key, in the order of service. No list is empty. */
  const lines = new Map<string, Item[]>();
  let waiting = 0;

  function removeFrom(key: string, items: readonly Item[]): void {
    const left = (lines.get(key) ?? []).filter((item) => !items.includes(item));
    waiting -= items.length;
    if (left.length === 0) lines.delete(key);
    else lines.set(key, left);
  }

  function add(key: string, item: Item): void {
    lines.set(key, [...(lines.get(key) ?? []), item]);
    waiting += 1;
  }

  return {
    push(key, item) {
      const own = lines.get(key)?.length ?? 0;
      let lost: Item | null = null;
      if (waiting >= maxWaiting) {
        const [longest = key, items = []] =
          [...lines].sort(([, one], [, other]) => other.length - one.length)[0] ?? [];
        if (items.length <= own + 1) return item;
        lost = items.at(-1) as Item;
        removeFrom(longest, [lost]);
      }
      add(key, item);
      return lost;
    },
    putFirst(key, item) {
      lines.set(key, [item, ...(lines.get(key) ?? [])]);
      waiting += 1;
    },
    shift(mayGo = () => true) {
      for (const [key, [first, ...others]] of lines) {
        if (!mayGo(key)) continue;
        waiting -= 1;
        lines.delete(key);
        // The key goes to the end.
        if (others.length > 0) lines.set(key, others);
        return first as Item;
      }
      return null;
    },
    take(isWanted) {
      return [...lines].flatMap(([key, items]) => {
        const wanted = items.filter(isWanted);
        removeFrom(key, wanted);
        return wanted;
      });
    },
  };
}
