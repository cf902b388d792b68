import { useMutation, useQueryClient } from '@tanstack/react-query';
import { undoChange } from '../../api/changes.ts';
import { messageOf } from '../../api/request-error.ts';
import { ConfirmDialog } from '../../ui/layers/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts/toasts.ts';

/** Undoes a change, with a reason of its own. */
export function UndoDialog({
  change,
  summary,
  usualReason,
  onClose,
}: {
  change: number;
  /** What the change did. */
  summary: string;
  /** Stands there to begin with. */
  usualReason?: string;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: (reason: string) => undoChange(change, reason),
    onSuccess: (made) => {
      toasts.show({
        title: made.summary,
        description: `Undone: ${summary}`,
        variant: 'default',
        urgency: 'foreground',
      });
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
      initialReason={usualReason}
      preview={{ state: 'ready', sentences: [`Takes back: ${summary}`] }}
      isBusy={undo.isPending}
      failure={undo.error ? messageOf(undo.error) : ''}
      onConfirm={(reason) => undo.mutate(reason)}
      onClose={onClose}
    />
  );
}
