import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { LayerHead } from './dialogs.tsx';

/** Below this width the sheet covers the screen, as in layers.css. */
const PHONE = '(width < 48rem)';
const FRAME = '.frame';

type SideSheetProps = {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** The list stays usable on a desk, and is inert below the sheet on a phone. */
export function SideSheet({ title, actions, onClose, children }: SideSheetProps) {
  const titleId = useId();
  const sheet = useRef<HTMLElement>(null);
  const opener = useRef<Element | null>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useEffect(() => {
    opener.current ??= document.activeElement;
    const from = opener.current;
    const frame = document.querySelector<HTMLElement>(FRAME);
    const phone = matchMedia(PHONE);
    const cover = () => {
      if (frame) frame.inert = phone.matches;
    };
    cover();
    sheet.current?.querySelector('h2')?.focus();
    phone.addEventListener('change', cover);
    function closeByKey(event: KeyboardEvent): void {
      const isTaken = event.defaultPrevented || document.querySelector('dialog[open]');
      if (event.key === 'Escape' && !isTaken) close.current();
    }
    document.addEventListener('keydown', closeByKey);
    return () => {
      phone.removeEventListener('change', cover);
      document.removeEventListener('keydown', closeByKey);
      if (frame) frame.inert = false;
      // The focus may have gone on to another row by j and k.
      const isLost = document.activeElement === document.body;
      if (isLost && from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, []);

  // A screen that is hidden for a while does not hide what is in a portal.
  useLayoutEffect(() => {
    const element = sheet.current;
    element?.style.removeProperty('display');
    return () => element?.style.setProperty('display', 'none');
  }, []);

  return createPortal(
    <section ref={sheet} className="sheet" role="dialog" aria-labelledby={titleId}>
      <LayerHead id={titleId} title={title} actions={actions} onClose={onClose} />
      <div className="sheet-body">{children}</div>
    </section>,
    document.body,
  );
}
