/** The one toast, outside React: it can be raised before the code that shows it loads. */

export type ToastMessage = {
  readonly title: string;
  readonly description?: string;
  readonly variant: 'default' | 'destructive';
  /** Foreground answers an action, and is announced at once. Background can wait. */
  readonly urgency: 'foreground' | 'background';
};

/** Each raise has its own `id`, so that the same message restarts and is announced again. */
type Raised<Message> = Message & { readonly id: number };

export type ToastStore<Message extends ToastMessage = ToastMessage> = {
  show(message: Message): void;
  /** Shows a hint when no other toast is in view, if it is still true by then. */
  showNext(hint: Message, isStillTrue: () => boolean): void;
  end(id: number): void;
  getCurrent(): Raised<Message> | null;
  subscribe(listener: () => void): () => void;
};

export function createToastStore<
  Message extends ToastMessage = ToastMessage,
>(): ToastStore<Message> {
  let current: Raised<Message> | null = null;
  let isInView = false;
  let showHint = () => {};
  let lastId = 0;
  const listeners = new Set<() => void>();

  function show(message: Message): void {
    lastId += 1;
    current = { ...message, id: lastId };
    isInView = true;
    for (const listener of listeners) listener();
  }

  return {
    show,
    showNext(hint, isStillTrue) {
      showHint = () => {
        showHint = () => {};
        if (isStillTrue()) show(hint);
      };
      if (!isInView) showHint();
    },
    end(id) {
      if (current?.id !== id || !isInView) return;
      isInView = false;
      showHint();
    },
    getCurrent: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const toastStore = createToastStore();
