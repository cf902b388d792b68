import './toast.css';
import {
  type PointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useToastPlacement } from './toast-placement.ts';
import { type ToastMessage, toastStore } from './toast-store.ts';

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
              // The focus would otherwise go to the start of the page.
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

/**
 * A region is read out only if it exists before its text, and stays empty for readers who browse.
 */
const ANNOUNCED_AFTER_MS = 50;
const ANNOUNCED_FOR_MS = 1000;

function Announcement({ toast }: { toast: ToastMessage }) {
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

/** docs/behaviour.md 9 */
const SWIPE_THRESHOLD_PX = 50;
const SWIPE_START_PX = 10;

type VisibleToastProps = {
  readonly toast: ToastMessage;
  readonly onClose: () => void;
  readonly onGone: () => void;
};

function VisibleToast({ toast, onClose, onGone }: VisibleToastProps) {
  const { title, description, variant } = toast;
  const [isOpen, setOpen] = useState(true);
  const element = useRef<HTMLLIElement>(null);
  const swipe = useRef<{ startX: number; distance: number } | null>(null);

  function close(): void {
    if (!isOpen) return;
    setOpen(false);
    onClose();
  }

  useClosingTimer(element, close);

  useEffect(() => {
    if (isOpen) return;
    let isCurrent = true;
    const animations = element.current?.getAnimations() ?? [];
    Promise.allSettled(animations.map(({ finished }) => finished)).then(() => {
      if (isCurrent) onGone();
    });
    return () => {
      isCurrent = false;
    };
  });

  function move({ clientX, pointerId }: PointerEvent): void {
    if (!swipe.current || !element.current) return;
    const distance = Math.max(0, clientX - swipe.current.startX);
    if (swipe.current.distance === 0 && distance < SWIPE_START_PX) return;
    swipe.current.distance = distance;
    element.current.setPointerCapture(pointerId);
    element.current.dataset.swipe = 'move';
    element.current.style.setProperty('--swipe', `${distance}px`);
  }

  function release(): void {
    const distance = swipe.current?.distance ?? 0;
    swipe.current = null;
    if (distance === 0 || !element.current) return;
    const isSwiped = distance > SWIPE_THRESHOLD_PX;
    element.current.dataset.swipe = isSwiped ? 'end' : 'cancel';
    if (isSwiped) close();
  }

  return (
    <li
      ref={element}
      className="toast"
      data-state={isOpen ? 'open' : 'closed'}
      data-variant={variant}
      onPointerDown={({ button, clientX }) => {
        if (button === 0) swipe.current = { startX: clientX, distance: 0 };
      }}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
    >
      <div className="toast-text">
        <div className="toast-title">{title}</div>
        {description && <div className="toast-description">{description}</div>}
      </div>
      <button type="button" className="toast-close" aria-label="Close notification" onClick={close}>
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
      </button>
    </li>
  );
}

/** docs/behaviour.md 9 */
const TOAST_DURATION_MS = 5000;

/** The time stands still while pointer or focus is on the toast, and without the window's focus. */
function useClosingTimer(toast: RefObject<HTMLElement | null>, close: () => void): void {
  const closeNow = useEffectEvent(close);

  useEffect(() => {
    const element = toast.current;
    let timer = 0;
    let startedAt = 0;
    let remaining = TOAST_DURATION_MS;

    function pause(): void {
      if (timer === 0) return;
      clearTimeout(timer);
      timer = 0;
      remaining -= Date.now() - startedAt;
    }

    function resume(): void {
      if (timer !== 0) return;
      startedAt = Date.now();
      timer = window.setTimeout(closeNow, remaining);
    }

    function closeByKey({ key }: KeyboardEvent): void {
      if (key === 'Escape') closeNow();
    }

    resume();
    const ended = new AbortController();
    const options = { signal: ended.signal };
    for (const type of ['pointerenter', 'focusin']) element?.addEventListener(type, pause, options);
    for (const type of ['pointerleave', 'focusout'])
      element?.addEventListener(type, resume, options);
    addEventListener('blur', pause, options);
    addEventListener('focus', resume, options);
    document.addEventListener('keydown', closeByKey, options);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [toast]);
}
