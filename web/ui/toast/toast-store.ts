/** The one toast (SPEC 4), outside React: it can be raised before the code that shows it loads. */

export type ToastMessage = {
  readonly title: string;
  readonly description?: string;
  readonly variant: 'default' | 'destructive';
  /** Foreground: the answer to an action, announced at once. Background: news that can wait. */
  readonly urgency: 'foreground' | 'background';
};

/** Each raise has its own `id`, so that the same message restarts and is announced again. */
type RaisedToast = ToastMessage & { readonly id: number };

export type ToastStore = {
  show(message: ToastMessage): void;
  getCurrent(): RaisedToast | null;
  subscribe(listener: () => void): () => void;
};

export function createToastStore(): ToastStore {
  let current: RaisedToast | null = null;
  let lastId = 0;
  const listeners = new Set<() => void>();
  return {
    show(message) {
      lastId += 1;
      current = { ...message, id: lastId };
      for (const listener of listeners) listener();
    },
    getCurrent: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const toastStore = createToastStore();
