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

export function createToastStore<Message extends ToastMessage = ToastMessage>() {
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
    /** Shows a hint when no other toast is in view, if it is still true by then. */
    showNext(hint: Message, isStillTrue: () => boolean): void {
      showHint = () => {
        showHint = () => {};
        if (isStillTrue()) show(hint);
      };
      if (!isInView) showHint();
    },
    end(id: number): void {
      if (current?.id !== id || !isInView) return;
      isInView = false;
      showHint();
    },
    getCurrent: () => current,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const toastStore = createToastStore();
