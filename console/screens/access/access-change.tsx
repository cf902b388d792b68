/** Changes of who may enter, which are not among those with a preview and an undo. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { accessKey, meKey, signOut } from '../../api/access.ts';
import { messageOf } from '../../api/request.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { forgetKept } from '../../ui/kept-state.ts';
import { showFailure, showToast } from '../../ui/toasts.tsx';

type Options = {
  /** Text of a toast; none when the page itself shows that it is done. */
  readonly done?: string | undefined;
  readonly onDone?: () => void;
  /** Whether the caller shows the failure beside what failed; otherwise a toast does. */
  readonly showsFailure?: boolean;
};

export function useAccessChange<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  { done, onDone, showsFailure = false }: Options = {},
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: accessKey }),
        queryClient.invalidateQueries({ queryKey: meKey }),
      ]);
      if (done !== undefined) showToast(done, { urgency: 'background' });
      onDone?.();
    },
    onError: (error) => {
      if (!showsFailure) showFailure('Not changed', messageOf(error));
    },
  });
}

/**
 * A new page keeps nothing of what was shown or written. Never resolves: reading the lists again
 * would show a sign-in that the new page takes away from under whoever uses it.
 */
export async function leaveForGood(): Promise<never> {
  await signOut();
  forgetKept('');
  window.location.reload();
  return await new Promise(() => {});
}

type AskDialogProps = {
  readonly title: string;
  readonly text: ReactNode;
  readonly confirmLabel: string;
  readonly done?: string;
  readonly change: () => Promise<unknown>;
  readonly onClose: () => void;
};

export function AskDialog({ title, text, confirmLabel, done, change, onClose }: AskDialogProps) {
  const asked = useAccessChange(change, { done, onDone: onClose, showsFailure: true });
  return (
    <FormDialog
      title={title}
      submitLabel={confirmLabel}
      isDanger
      isBusy={asked.isPending}
      failure={messageOf(asked.error)}
      onSubmit={() => asked.mutate(undefined)}
      onClose={onClose}
    >
      {typeof text === 'string' ? <p>{text}</p> : text}
    </FormDialog>
  );
}
