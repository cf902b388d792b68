import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ChangePreview, WantedChange } from '../../contract/operator/changes.ts';
import { makeChange, previewQuery } from '../api/changes.ts';
import { messageOf } from '../api/request-error.ts';
import { ConfirmDialog, type Preview } from '../ui/layers/confirm-dialog.tsx';
import { useChangeNotice } from './changes/change-notice.tsx';
import { useSettled } from './use-settled.ts';

export type ChangeDialogProps = {
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
  const tell = useChangeNotice();
  const { value: asked, isSettling } = useSettled(want);
  const change = useMutation({
    mutationFn: makeChange,
    onSuccess: (made) => {
      tell(made);
      onMade?.();
      onClose();
      // A change affects more than its subject: positions, counts, the log.
      return client.invalidateQueries();
    },
    // Somebody else may have changed the same subject: read everything again.
    onError: () => client.invalidateQueries(),
  });
  // A change that is being made, or just made, would be previewed as refused.
  const isOpen = change.isIdle || change.isError;
  const preview = useQuery({ ...previewQuery(asked), enabled: asked !== null && isOpen });

  function confirm(reason: string): void {
    if (want === null || isSettling || !preview.data) return;
    const { seen } = preview.data;
    const bound = bindToPreview(want, preview.data);
    change.mutate({ ...bound, reason, ...(seen !== null && { seen }) });
  }

  const viewed: Preview = isSettling ? { state: 'loading' } : viewPreview(preview);
  return (
    <ConfirmDialog
      title={title}
      preview={want === null ? { state: 'waiting', hint } : viewed}
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

/** No more members leave, and no more credits, rewards and passes change, than were shown. */
function bindToPreview(want: WantedChange, { counts }: ChangePreview): WantedChange {
  if (want.kind === 'remove-members' && counts.members !== undefined)
    return { ...want, input: { ...want.input, expected: counts.members } };
  if (want.kind === 'ask-rewards' && counts.rewards !== undefined)
    return { ...want, input: { ...want.input, expected: counts.rewards } };
  if (want.kind === 'mark-rewards-sent' && counts.rewards !== undefined)
    return { ...want, input: { ...want.input, expected: counts.rewards } };
  if (want.kind === 'reconcile' && counts.passes !== undefined)
    return { ...want, input: { ...want.input, expected: counts.passes } };
  if (want.kind === 'decide-credits' && counts.credits !== undefined)
    return { ...want, input: { ...want.input, expected: counts.credits } };
  return want;
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
