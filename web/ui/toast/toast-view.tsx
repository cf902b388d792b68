import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import './toast.css';
import { useToastPlacement } from './toast-placement.ts';
import { toastStore } from './toast-store.ts';
import { VisibleToast } from './visible-toast.tsx';

/** A key, as in other toasts of the web, that moves the focus to the toast. */
const FOCUS_KEY = 'F8';

export function ToastView() {
  const toast = useSyncExternalStore(
    toastStore.subscribe,
    toastStore.getCurrent,
    toastStore.getCurrent,
  );
  const [endedId, setEndedId] = useState(0);
  const viewport = useRef<HTMLOListElement>(null);
  useToastPlacement(viewport, toast);

  useEffect(() => {
    function focus({ code }: KeyboardEvent): void {
      if (code === FOCUS_KEY) viewport.current?.focus();
    }
    document.addEventListener('keydown', focus);
    return () => document.removeEventListener('keydown', focus);
  }, []);

  return (
    <section aria-label={`Notifications (${FOCUS_KEY})`}>
      <ol ref={viewport} className="toast-viewport" tabIndex={-1}>
        {toast && toast.id !== endedId && (
          <VisibleToast
            key={toast.id}
            toast={toast}
            onClose={() => {
              // Otherwise the focus would go to the start of the page.
              if (viewport.current?.contains(document.activeElement)) viewport.current.focus();
              toastStore.end(toast.id);
            }}
            onGone={() => setEndedId(toast.id)}
          />
        )}
      </ol>
      {toast && <Announcement key={toast.id} toast={toast} />}
    </section>
  );
}

type Announced = {
  readonly title: string;
  readonly description?: string;
  readonly urgency: 'foreground' | 'background';
};

/** A region must be there before its text to be read out, and is empty for readers who browse. */
const ANNOUNCED_AFTER_MS = 50;
const ANNOUNCED_FOR_MS = 1000;

function Announcement({ toast }: { toast: Announced }) {
  const [isSaid, setSaid] = useState(false);

  useEffect(() => {
    const begin = setTimeout(() => setSaid(true), ANNOUNCED_AFTER_MS);
    const end = setTimeout(() => setSaid(false), ANNOUNCED_AFTER_MS + ANNOUNCED_FOR_MS);
    return () => {
      clearTimeout(begin);
      clearTimeout(end);
    };
  }, []);

  return (
    <div
      className="visually-hidden"
      role="status"
      aria-live={toast.urgency === 'foreground' ? 'assertive' : 'polite'}
    >
      {isSaid && `Notification ${toast.title} ${toast.description ?? ''}`}
    </div>
  );
}
