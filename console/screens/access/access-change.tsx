import { useMutation, useQueryClient } from '@tanstack/react-query';
import { signOut } from '../../api/access.ts';
import { messageOf } from '../../api/request.ts';
import { forgetKept } from '../../ui/kept-state.ts';
import { showFailure, showToast } from '../../ui/toasts.tsx';

export function useAccessChange<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  done?: string,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await queryClient.invalidateQueries();
      if (done !== undefined) showToast(done, { urgency: 'background' });
    },
    onError: (error) => showFailure('Not changed', messageOf(error)),
  });
}

/** Never resolves: reading the lists again would show a sign-in that the new page takes away. */
export async function leaveForGood(): Promise<never> {
  await signOut();
  forgetKept('');
  window.location.reload();
  return await new Promise(() => {});
}
