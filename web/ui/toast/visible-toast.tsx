import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { ToastMessage } from './toast-store.ts';
import { useClosingTimer } from './use-closing-timer.ts';

/** docs/behaviour.md 9 */
const SWIPE_THRESHOLD_PX = 50;
/** A finger that moves less has tapped. */
const SWIPE_START_PX = 10;

type VisibleToastProps = {
  readonly toast: ToastMessage;
  /** It closes, by its time or by the visitor. */
  readonly onClose: () => void;
  /** Its last animation has ended. */
  readonly onGone: () => void;
};

/** One toast: closed by its time, its button, Escape or a swipe to the right. */
export function VisibleToast({ toast, onClose, onGone }: VisibleToastProps) {
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
