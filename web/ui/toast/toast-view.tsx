import { Close, Description, Provider, Root, Title, Viewport } from '@radix-ui/react-toast';
import { useRef, useSyncExternalStore } from 'react';
import './toast.css';
import { useToastPlacement } from './toast-placement.ts';
import { toastStore } from './toast-store.ts';

/** SPEC 9 */
const TOAST_DURATION_MS = 5000;
/** SPEC 9 */
const SWIPE_THRESHOLD_PX = 50;

export function ToastView() {
  const toast = useSyncExternalStore(
    toastStore.subscribe,
    toastStore.getCurrent,
    toastStore.getCurrent,
  );
  const viewport = useRef<HTMLOListElement>(null);
  useToastPlacement(viewport, toast);

  return (
    <Provider
      duration={TOAST_DURATION_MS}
      swipeThreshold={SWIPE_THRESHOLD_PX}
      swipeDirection="right"
    >
      {toast && (
        <Root
          key={toast.id}
          type={toast.urgency}
          className="toast"
          data-variant={toast.variant}
          onOpenChange={(isOpen) => !isOpen && toastStore.end(toast.id)}
        >
          <div className="toast-text">
            <Title className="toast-title">{toast.title}</Title>
            {toast.description && (
              <Description className="toast-description">{toast.description}</Description>
            )}
          </div>
          <Close className="toast-close" aria-label="Close notification">
            <svg
              viewBox="0 0 24 24"
              width="18"
              height="18"
              stroke="currentColor"
              strokeWidth="2"
              aria-hidden="true"
            >
              <path d="m6 6 12 12M18 6 6 18" />
            </svg>
          </Close>
        </Root>
      )}
      <Viewport ref={viewport} className="toast-viewport" />
    </Provider>
  );
}
