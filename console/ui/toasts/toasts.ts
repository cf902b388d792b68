import { createToastStore, type ToastMessage } from '../../../web/ui/toast/toast-store.ts';

type ConsoleToast = ToastMessage & {
  /** A button, and a key while the toast is in view. */
  readonly action?: { readonly label: string; readonly key: string; readonly run: () => void };
};

/** The one toast of the console. */
export const toasts = createToastStore<ConsoleToast>();
