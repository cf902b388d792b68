import X from 'lucide-react/icons/x';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './buttons.tsx';
import { Failure, Form, type FormProps } from './fields.tsx';
import { forgetKept, useFormName } from './kept-state.ts';

type DialogProps = {
  readonly title: string;
  readonly onClose: () => void;
  readonly footer?: ReactNode;
  readonly isWide?: boolean;
  readonly children: ReactNode;
};

/** The browser's own modal dialog holds the focus and lies above all (docs/decisions/0063). */
export function Dialog({ title, onClose, footer, isWide = false, children }: DialogProps) {
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
      // While it is hidden, it is not closed by a person.
      isShown.current = false;
      element?.close();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it.
    <dialog
      ref={dialog}
      className={`dialog ${isWide ? 'dialog-wide' : ''}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close on a second Escape regardless.
      onClose={(event) => isShown.current && !event.currentTarget.open && onClose()}
      // A press that began inside and ends outside selects text.
      onMouseDown={({ target }) => {
        isPressedOutside.current = target === dialog.current;
      }}
      onClick={({ target }) => isPressedOutside.current && target === dialog.current && onClose()}
    >
      <div className="dialog-panel">
        <LayerHead id={titleId} title={title} onClose={onClose} />
        <div className="dialog-body">{children}</div>
        {footer && <div className="dialog-foot">{footer}</div>}
      </div>
    </dialog>
  );
}

export type FormDialogProps = Omit<FormProps, 'id' | 'className'> & {
  readonly title: string;
  /** The title by default. */
  readonly confirmLabel?: string;
  readonly cancelLabel?: string | undefined;
  readonly isDanger?: boolean;
  /** Whether short fields stand beside each other. */
  readonly isGrid?: boolean;
  readonly isDisabled?: boolean;
  readonly isBusy?: boolean;
  readonly undoNote?: string | undefined;
  readonly onClose: () => void;
};

export function FormDialog({
  title,
  confirmLabel = title,
  cancelLabel = 'Cancel',
  isDanger = false,
  isGrid = false,
  isDisabled = false,
  isBusy = false,
  undoNote,
  onClose,
  failure,
  children,
  ...form
}: FormDialogProps) {
  const id = useId();
  const name = useFormName(title);
  function giveUp(): void {
    forgetKept(name);
    onClose();
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Failure text={failure} />
          {undoNote !== undefined && <p className="dialog-note">{undoNote}</p>}
          <Button variant="quiet" onClick={giveUp}>
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            form={id}
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={isDisabled}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <Form id={id} className={isGrid ? 'fields' : 'stack'} {...form}>
        {children}
      </Form>
    </Dialog>
  );
}

type LayerHeadProps = {
  readonly id: string;
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly onClose: () => void;
};

export function LayerHead({ id, title, actions, onClose }: LayerHeadProps) {
  return (
    <div className="layer-head">
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {actions}
      <button type="button" className="icon-button" aria-label="Close" onClick={onClose}>
        <X aria-hidden="true" size={18} />
      </button>
    </div>
  );
}
