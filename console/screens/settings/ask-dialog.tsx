import { messageOf } from '../../api/request-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/layers/dialog.tsx';

type AskDialogProps = {
  readonly title: string;
  readonly text: string;
  readonly confirmLabel: string;
  readonly change: { readonly isPending: boolean; readonly error: unknown };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Asks before something that cannot be undone. */
export function AskDialog({
  title,
  text,
  confirmLabel,
  change,
  onConfirm,
  onClose,
}: AskDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="danger" isBusy={change.isPending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <p className="field-error" role="alert">
        {change.error !== null && messageOf(change.error)}
      </p>
    </Dialog>
  );
}
