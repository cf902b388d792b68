/** Session storage, because local storage has exactly the two keys of docs/behaviour.md 3. */
export type TabMemory = {
  read(key: string): string | null;
  write(key: string, value: string | null): void;
};

/** `open`: reading `sessionStorage` may itself throw. */
export function createTabMemory(
  open: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
): TabMemory {
  const refused = new Map<string, string | null>();
  return {
    read(key) {
      const own = refused.get(key);
      if (own !== undefined) return own;
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    write(key, value) {
      refused.delete(key);
      try {
        if (value === null) open().removeItem(key);
        else open().setItem(key, value);
      } catch {
        refused.set(key, value);
      }
    },
  };
}

export const tabMemory = createTabMemory(() => sessionStorage);
