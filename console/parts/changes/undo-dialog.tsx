import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toastStore } from '../../../web/ui/toast/toast-store.ts';
import { undoChange } from '../../api/changes.ts';
import { messageOf } from '../../api/request-error.ts';
import { ConfirmDialog } from '../../ui/layers/confirm-dialog.tsx';

/** Undoes a change, with a reason of its own. */
export function UndoDialog({
  change,
  summary,
  onClose,
}: {
  change: number;
  /** What the change did. */
  summary: string;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: (reason: string) => undoChange(change, reason),
    onSuccess: (made) => {
      toastStore.show({ title: made.summary, variant: 'default', urgency: 'foreground' });
      onClose();
    },
    // Also after a refusal: somebody else may have been faster.
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      title={`Undo change ${change}`}
      confirmLabel="Undo"
      undoNote="An undo is for good."
      preview={{ state: 'ready', sentences: [`Takes back: ${summary}`] }}
      isBusy={undo.isPending}
      failure={undo.error ? messageOf(undo.error) : ''}
      onConfirm={(reason) => undo.mutate(reason)}
      onClose={onClose}
    />
  );
}
