import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { Button } from '../controls/button.tsx';
import { Dialog } from './dialog.tsx';

type FormDialogProps = {
  readonly title: string;
  readonly submitLabel: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly isBusy: boolean;
  /** Why it was refused; empty when it was not. */
  readonly failure: string;
  /** Beside the buttons. */
  readonly note?: string;
  /** The caller names what is missing; otherwise the browser does. */
  readonly noValidate?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A few fields and a button. Ctrl+Enter submits from any field. */
export function FormDialog({
  title,
  submitLabel,
  isDanger = false,
  isDisabled = false,
  isBusy,
  failure,
  note,
  noValidate = false,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          {note !== undefined && <p className="dialog-note">{note}</p>}
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={id}
            variant={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={isDisabled}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="confirm"
        noValidate={noValidate}
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
        onKeyDown={submitByKey}
      >
        {children}
        <p className="field-error" role="alert">
          {failure}
        </p>
      </form>
    </Dialog>
  );
}

function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}
