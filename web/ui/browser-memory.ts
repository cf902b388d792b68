/** Texts that the browser stores by key. What it refuses to store lasts as long as the page. */
export type BrowserMemory = ReturnType<typeof createBrowserMemory>;

/** `open`: reading `sessionStorage` or `localStorage` may itself throw. */
export function createBrowserMemory(
  open: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
) {
  const refused = new Map<string, string | null>();
  return {
    read(key: string): string | null {
      const waiting = refused.get(key);
      if (waiting !== undefined) return waiting;
      try {
        return open().getItem(key);
      } catch {
        return null;
      }
    },
    write(key: string, value: string | null): void {
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

/** For the site, whose local storage has exactly the two keys of docs/behaviour.md 3. */
export const tabMemory = createBrowserMemory(() => sessionStorage);
