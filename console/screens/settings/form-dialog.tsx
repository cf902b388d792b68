import { type ReactNode, useId } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';

type FormDialogProps = {
  readonly title: string;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  /** Why it was refused; empty when it was not. */
  readonly failure: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A few fields and a button. */
export function FormDialog({
  title,
  submitLabel,
  isBusy,
  failure,
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
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={id} variant="primary" isBusy={isBusy}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="confirm"
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        {children}
        <p className="field-error" role="alert">
          {failure}
        </p>
      </form>
    </Dialog>
  );
}
