import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ChangePreview, MadeChange, WantedChange } from '../../contract/operator/changes.ts';
import { toastStore } from '../../web/ui/toast/toast-store.ts';
import { makeChange, previewQuery } from '../api/changes.ts';
import { messageOf } from '../api/request-error.ts';
import { ConfirmDialog, type Preview } from '../ui/layers/confirm-dialog.tsx';

type ChangeDialogProps = {
  readonly title: string;
  /** null while `children` are incomplete; `hint` then says what is missing. */
  readonly want: WantedChange | null;
  readonly hint?: string;
  readonly confirmLabel: string;
  readonly isDanger?: boolean;
  readonly undoNote?: string;
  /** The fields of the change. */
  readonly children?: ReactNode;
  readonly onClose: () => void;
  /** Called before the dialog closes. */
  readonly onMade?: (() => void) | undefined;
};

/** Makes one change: previewed, with a reason, and confirmed by a toast. */
export function ChangeDialog({
  title,
  want,
  hint = '',
  confirmLabel,
  isDanger = false,
  undoNote = 'You can undo this for 24 hours.',
  children,
  onClose,
  onMade,
}: ChangeDialogProps) {
  const client = useQueryClient();
  const preview = useQuery(previewQuery(want));
  const change = useMutation({
    mutationFn: makeChange,
    onSuccess: (made) => {
      tell(made);
      onMade?.();
      onClose();
      // A change affects more than its subject: positions, counts, the log.
      return client.invalidateQueries();
    },
    // Somebody else has changed the same subject: show what the change would do now.
    onError: () => preview.refetch(),
  });

  function confirm(reason: string): void {
    if (want === null || !preview.data) return;
    const { seen } = preview.data;
    const bound = bindToPreview(want, preview.data);
    change.mutate({ ...bound, reason, ...(seen !== null && { seen }) });
  }

  return (
    <ConfirmDialog
      title={title}
      preview={want === null ? { state: 'waiting', hint } : viewPreview(preview)}
      undoNote={undoNote}
      confirmLabel={confirmLabel}
      isDanger={isDanger}
      isBusy={change.isPending}
      failure={change.error ? messageOf(change.error) : ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}

/** A removal takes no more members than were shown. */
function bindToPreview(want: WantedChange, { counts }: ChangePreview): WantedChange {
  return want.kind !== 'remove-members' || counts.members === undefined
    ? want
    : { ...want, input: { ...want.input, expected: counts.members } };
}

function viewPreview(preview: UseQueryResult<ChangePreview>): Preview {
  if (preview.data) return { state: 'ready', sentences: preview.data.sentences };
  if (!preview.error) return { state: 'loading' };
  return {
    state: 'failed',
    message: messageOf(preview.error),
    onRetry: () => void preview.refetch(),
  };
}

function tell({ summary }: MadeChange): void {
  toastStore.show({ title: summary, variant: 'default', urgency: 'foreground' });
}
