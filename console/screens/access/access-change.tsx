import { useMutation, useQueryClient } from '@tanstack/react-query';
import { operatorPaths } from '../../../contract/operator/paths.ts';
import { remove } from '../../api/queries.ts';
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
  await remove(operatorPaths.session);
  forgetKept('');
  window.location.reload();
  return await new Promise(() => {});
}
