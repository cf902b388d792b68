import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accessKey } from '../../api/access.ts';
import { meKey } from '../../api/me.ts';
import { messageOf } from '../../api/request-error.ts';
import { toasts } from '../../ui/toasts/toasts.ts';

type Options<Result> = {
  /** What to say once it is done; nothing when the page itself shows it. */
  readonly done?: string;
  readonly onDone?: (result: Result) => void;
  /** Whether the caller shows the failure beside what failed; otherwise a toast does. */
  readonly showsFailure?: boolean;
};

/** A change of who may enter: reads the lists again after it. */
export function useAccessChange<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  { done, onDone, showsFailure = false }: Options<Result> = {},
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async (result) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: accessKey }),
        queryClient.invalidateQueries({ queryKey: meKey }),
      ]);
      if (done !== undefined)
        toasts.show({ title: done, variant: 'default', urgency: 'background' });
      onDone?.(result);
    },
    onError: (error) => {
      if (!showsFailure)
        toasts.show({
          title: 'Not changed',
          description: messageOf(error),
          variant: 'destructive',
          urgency: 'foreground',
        });
    },
  });
}
