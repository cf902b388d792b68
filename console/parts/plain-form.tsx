import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../api/request.ts';
import { FormDialog } from '../ui/dialogs.tsx';
import { Fields, type FieldValues, type FormFields, initialValues } from '../ui/form-fields.tsx';
import { useKeptFields } from '../ui/kept-state.ts';
import { showToast } from '../ui/toasts.tsx';
import type { Layer } from './changes.tsx';

type PlainForm<Name extends string> = {
  readonly title: string;
  readonly submitLabel: string;
  readonly isDanger?: boolean;
  readonly fields?: FormFields<Name>;
  /** Sentences about fields, where the browser cannot name what is missing. */
  readonly missing?: (values: FieldValues<Name>) => Partial<Record<Name, string | undefined>>;
  readonly children?: ReactNode;
  /** Text of a toast; none when the page itself shows that it is done. */
  readonly done?: string;
  readonly make: (values: FieldValues<Name>) => Promise<unknown>;
  readonly explain?: (error: unknown) => string;
};

/** The dialog of what has neither a preview nor an undo, made of its description. */
export function plainForm<Name extends string>(form: PlainForm<Name>): Layer {
  return (close) => <PlainDialog {...form} onClose={close} />;
}

function PlainDialog<Name extends string>({
  fields = {} as FormFields<Name>,
  missing,
  children,
  done,
  make,
  explain = messageOf,
  ...dialog
}: PlainForm<Name> & { onClose: () => void }) {
  const client = useQueryClient();
  const kept = useKeptFields(dialog.title, initialValues(fields));
  const [isTried, setTried] = useState(false);
  const errors = missing?.(kept.fields) ?? {};
  const making = useMutation({
    mutationFn: make,
    onSuccess: () => {
      if (done !== undefined) showToast(done, { urgency: 'background' });
      kept.forget();
      dialog.onClose();
      return client.invalidateQueries();
    },
  });

  function submit(): void {
    setTried(true);
    const isWhole = Object.values(errors).every((error) => error === undefined);
    if (isWhole && !making.isPending) making.mutate(kept.fields);
  }

  return (
    <FormDialog
      {...dialog}
      isChecked={Object.values<{ isRequired?: boolean }>(fields).some((one) => one.isRequired)}
      isBusy={making.isPending}
      failure={making.isError ? explain(making.error) : ''}
      onSubmit={submit}
    >
      {children}
      <Fields
        fields={fields}
        values={kept.fields}
        errors={isTried ? errors : {}}
        onChange={(name, value) => kept.change({ [name]: value } as Partial<typeof kept.fields>)}
      />
    </FormDialog>
  );
}
