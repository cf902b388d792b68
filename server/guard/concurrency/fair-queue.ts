export function openFairQueue<Item>(maxWaiting: number) {
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
    /** A full queue drops, and returns, the newest item of the key with the most, maybe `item`. */
    push(key: string, item: Item): Item | null {
      const queued = lines.get(key)?.length ?? 0;
      let lost: Item | null = null;
      if (waiting >= maxWaiting) {
        const [longest = key, items = []] =
          [...lines].sort(([, one], [, other]) => other.length - one.length)[0] ?? [];
        if (items.length <= queued + 1) return item;
        lost = items.at(-1) as Item;
        removeFrom(longest, [lost]);
      }
      add(key, item);
      return lost;
    },
    putFirst(key: string, item: Item): void {
      lines.set(key, [item, ...(lines.get(key) ?? [])]);
      waiting += 1;
    },
    shift(mayGo: (key: string) => boolean = () => true): Item | null {
      for (const [key, [first, ...others]] of lines) {
        if (!mayGo(key)) continue;
        waiting -= 1;
        lines.delete(key);
        if (others.length > 0) lines.set(key, others);
        return first as Item;
      }
      return null;
    },
    take(isWanted: (item: Item) => boolean): Item[] {
      return [...lines].flatMap(([key, items]) => {
        const wanted = items.filter(isWanted);
        removeFrom(key, wanted);
        return wanted;
      });
    },
  };
}
