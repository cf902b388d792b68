import { Action, Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast';
import X from 'lucide-react/icons/x';
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createToastStore, type ToastMessage } from '../../web/ui/toast/toast-store.ts';
import { Button } from './buttons.tsx';
import { useShortcuts } from './shortcuts.ts';

const DURATION_MS = 6_000;
const ACTION_DURATION_MS = 20_000;

type ConsoleToast = ToastMessage & {
  readonly action?: { readonly label: string; readonly key: string; readonly run: () => void };
};

const toasts = createToastStore<ConsoleToast>();

export function showToast(title: string, more: Partial<ConsoleToast> = {}): void {
  toasts.show({ title, variant: 'default', urgency: 'foreground', ...more });
}

export function showFailure(title: string, description: string): void {
  showToast(title, { description, variant: 'destructive' });
}

/** Shows the toast. It waits while it has the pointer or the focus; F8 goes to it. */
export function ToastLayer() {
  const toast = useSyncExternalStore(toasts.subscribe, toasts.getCurrent);
  const [closedId, setClosedId] = useState(0);
  const action = toast?.id === closedId ? undefined : toast?.action;
  useShortcuts(action ? { [action.key]: run } : {});
  const shown = useRef<HTMLLIElement>(null);
  const openId = toast && toast.id !== closedId ? toast.id : null;
  useLayoutEffect(() => (openId === null ? undefined : reserveSpace(shown.current)), [openId]);

  function close(): void {
    if (!toast) return;
    setClosedId(toast.id);
    toasts.end(toast.id);
  }

  function run(): void {
    close();
    action?.run();
  }

  return (
    <Provider duration={DURATION_MS} swipeDirection="right">
      {toast && (
        <Root
          key={toast.id}
          ref={shown}
          open={openId !== null}
          type={toast.urgency}
          className="toast"
          data-variant={toast.variant}
          duration={toast.action ? ACTION_DURATION_MS : DURATION_MS}
          onOpenChange={(isOpen) => !isOpen && close()}
        >
          <div className="toast-text">
            <Title className="toast-title">{toast.title}</Title>
            {toast.description && (
              <Description className="toast-description">{toast.description}</Description>
            )}
          </div>
          {action && (
            <Action asChild altText={`Press ${action.key}`}>
              <Button aria-keyshortcuts={action.key} onClick={run}>
                {action.label} <kbd>{action.key}</kbd>
              </Button>
            </Action>
          )}
          <Close className="toast-close" aria-label="Close notification">
            <X aria-hidden="true" size={18} />
          </Close>
        </Root>
      )}
      <Viewport className="toast-viewport" />
    </Provider>
  );
}

/** Sets `--toast-space` in pixels, so that everything can scroll out from under the toast. */
function reserveSpace(toast: HTMLElement | null): (() => void) | undefined {
  const viewport = toast?.parentElement;
  if (!toast || !viewport) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    // An animation moves the rectangle of the toast, but not its offset.
    const top = viewport.getBoundingClientRect().top + toast.offsetTop;
    style.setProperty('--toast-space', `${window.innerHeight - top}px`);
  });
  observer.observe(toast);
  return () => {
    observer.disconnect();
    style.removeProperty('--toast-space');
  };
}
