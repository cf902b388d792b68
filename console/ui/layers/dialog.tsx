import X from 'lucide-react/icons/x';
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';

type DialogProps = {
  readonly title: string;
  /** The dialog is open while it is mounted. */
  readonly onClose: () => void;
  /** Buttons, the main one last. */
  readonly footer?: ReactNode;
  readonly size?: 'normal' | 'wide';
  readonly children: ReactNode;
};

/**
 * The browser's own modal dialog: it holds the focus, makes the rest inert and lies above all
 * (docs/decisions/0063). The focus goes to `[data-autofocus]`, or to the heading.
 */
export function Dialog({ title, onClose, footer, size = 'normal', children }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);
  const isShown = useRef(false);

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    isShown.current = true;
    const first = element?.querySelector<HTMLElement>('[data-autofocus]');
    (first ?? element?.querySelector('h2'))?.focus();
    return () => {
      // Hidden for a while, it is not closed by anybody.
      isShown.current = false;
      element?.close();
    };
  }, []);

  // A press that began inside and ends outside selects text.
  const isOutside = (event: MouseEvent) => event.target === dialog.current;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it.
    <dialog
      ref={dialog}
      className={`dialog dialog-${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close on a second Escape regardless.
      onClose={(event) => isShown.current && !event.currentTarget.open && onClose()}
      onMouseDown={(event) => {
        isPressedOutside.current = isOutside(event);
      }}
      onClick={(event) => isPressedOutside.current && isOutside(event) && onClose()}
    >
      <div className="dialog-panel">
        <div className="dialog-head">
          <h2 id={titleId} tabIndex={-1}>
            {title}
          </h2>
          <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
            <X aria-hidden="true" size={18} />
          </button>
        </div>
        <div className="dialog-body">{children}</div>
        {footer && <div className="dialog-foot">{footer}</div>}
      </div>
    </dialog>
  );
}
