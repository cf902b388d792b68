import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { undoChange } from '../api/changes.ts';
import { messageOf } from '../api/request.ts';
import { Button } from '../ui/buttons.tsx';
import {
  Dialog,
  FormDialog,
  type FormDialogProps,
  Sentences,
  WhatChanges,
} from '../ui/dialogs.tsx';
import { CodeText } from '../ui/facts.tsx';
import {
  Fields,
  type FieldValues,
  type FormFields,
  findMissingReason,
  initialValues,
  REASON_FIELD,
} from '../ui/form-fields.tsx';
import { useKeptFields } from '../ui/kept-state.ts';
import { showToast } from '../ui/toasts.tsx';
import type { Layer } from './changes.tsx';

type Words = Pick<FormDialogProps, 'title' | 'confirmLabel' | 'undoNote' | 'isDanger'>;

type PlainForm<Name extends string> = Words & {
  readonly fields?: FormFields<Name>;
  /** Sentences about fields, where the browser cannot name what is missing. */
  readonly missing?: (values: FieldValues<Name>) => Partial<Record<Name, string | undefined>>;
  readonly children?: ReactNode;
  readonly done?: string;
  readonly make: (values: FieldValues<Name>) => Promise<unknown>;
  readonly explain?: (error: unknown) => string;
};

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
    },
    // A refusal may mean that another operator has been faster.
    onSettled: () => client.invalidateQueries(),
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

type Confirmation = Words & {
  readonly sentences: readonly string[];
  readonly reason?: string;
  readonly make: (reason: string) => Promise<unknown>;
};

export const confirmation = ({ sentences, reason: value = '', make, ...words }: Confirmation) =>
  plainForm({
    ...words,
    children: (
      <WhatChanges>
        <Sentences sentences={sentences} />
      </WhatChanges>
    ),
    fields: { reason: { ...REASON_FIELD, value } },
    missing: ({ reason }) => ({ reason: findMissingReason(reason) }),
    make: ({ reason }) => make(reason.trim()),
  });

export const undo = (change: number, summary: string, reason?: string) =>
  confirmation({
    title: `Undo change ${change}`,
    confirmLabel: 'Undo',
    undoNote: 'An undo is for good.',
    ...(reason !== undefined && { reason }),
    sentences: [`Takes back: ${summary}`],
    make: async (why) => {
      const made = await undoChange(change, why);
      showToast(made.summary, { description: `Undone: ${summary}` });
    },
  });

type Secret = {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly note: string;
  readonly doneLabel: string;
};

export const secretDialog = ({ title, label, value, note, doneLabel }: Secret): Layer =>
  function show(close) {
    return (
      <Dialog
        title={title}
        onClose={close}
        footer={
          <Button variant="primary" onClick={close}>
            {doneLabel}
          </Button>
        }
      >
        <p>{note}</p>
        <CodeText label={label} value={value} />
      </Dialog>
    );
  };
