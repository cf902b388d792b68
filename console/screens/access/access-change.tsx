/** Changes of who may enter, which are not among those with a preview and an undo. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { accessKey, meKey, signOut } from '../../api/access.ts';
import { messageOf } from '../../api/request.ts';
import type { Layer } from '../../parts/changes.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { Fields, type FieldValues, type FormFields, initialValues } from '../../ui/form-fields.tsx';
import { forgetKept, useKeptFields } from '../../ui/kept-state.ts';
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

type AccessForm<Name extends string> = {
  readonly title: string;
  readonly submitLabel: string;
  readonly fields?: FormFields<Name>;
  readonly children?: ReactNode;
  readonly isDanger?: boolean;
  readonly done?: string;
  readonly change: (values: FieldValues<Name>) => Promise<unknown>;
  readonly explain?: (error: unknown) => string;
};

/** The dialog of such a change, made of its description. */
export function accessForm<Name extends string>(form: AccessForm<Name>): Layer {
  return (close) => <AccessDialog {...form} onClose={close} />;
}

function AccessDialog<Name extends string>({
  fields = {} as FormFields<Name>,
  children,
  done,
  change,
  explain = messageOf,
  ...dialog
}: AccessForm<Name> & { onClose: () => void }) {
  const kept = useKeptFields(dialog.title, initialValues(fields));
  const made = useAccessChange(change, {
    done,
    onDone: () => {
      kept.forget();
      dialog.onClose();
    },
    showsFailure: true,
  });
  return (
    <FormDialog
      {...dialog}
      isChecked
      isBusy={made.isPending}
      failure={made.isError ? explain(made.error) : ''}
      onSubmit={() => made.mutate(kept.fields)}
    >
      {children}
      <Fields
        fields={fields}
        values={kept.fields}
        onChange={(name, value) => kept.change({ [name]: value } as Partial<typeof kept.fields>)}
      />
    </FormDialog>
  );
}
