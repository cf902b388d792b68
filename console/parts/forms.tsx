import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type {
  ChangeInput,
  ChangeKind,
  ChangePreview,
  ChangeRequest,
  MadeChange,
  WantedChange,
} from '../../contract/operator/changes.ts';
import { call, read } from '../api/queries.ts';
import { isRefused, messageOf } from '../api/request.ts';
import { Button } from '../ui/buttons.tsx';
import { Dialog, FormDialog, type FormDialogProps } from '../ui/dialogs.tsx';
import { CodeText, ErrorState, Skeleton } from '../ui/facts.tsx';
import {
  Fields,
  type FieldValues,
  type FormFields,
  initialValues,
  REASON_FIELD,
  readFields,
  readInput,
} from '../ui/form-fields.tsx';
import { useKeptFields } from '../ui/kept-state.ts';
import { showToast } from '../ui/toasts.tsx';
import { type Layer, useShow } from './changes.tsx';

const PAUSE_MS = 250;

type Form<Name extends string> = Pick<
  FormDialogProps,
  'title' | 'confirmLabel' | 'cancelLabel' | 'isDanger' | 'isGrid' | 'undoNote'
> & {
  readonly fields?: FormFields<Name>;
  readonly children?: ReactNode;
};

type Made<Name extends string, Input, Result> = {
  readonly form: Form<Name> & { readonly onClose: () => void };
  readonly make: (input: Input) => Promise<Result>;
  readonly onMade: (made: Result, values: FieldValues<Name>) => void;
};

/** The browser keeps what is written until it is made. Secrets are stored nowhere. */
function useForm<Name extends string, Input, Result>({
  form: { title, fields = {} as FormFields<Name>, onClose },
  make,
  onMade,
}: Made<Name, Input, Result>) {
  const client = useQueryClient();
  const kept = useKeptFields(title, initialValues(fields));
  const [secrets, setSecrets] = useState<Partial<FieldValues<Name>>>({});
  const [isTried, setTried] = useState(false);
  const written: FieldValues<Name> = { ...kept.fields, ...secrets };
  const making = useMutation({
    mutationFn: make,
    onSuccess: (made) => {
      kept.forget();
      onMade(made, written);
      onClose();
    },
    // A change affects more than its subject, and a refusal may mean that another was faster.
    onSettled: () => client.invalidateQueries(),
  });
  function change(name: Name, value: string): void {
    const part = { [name]: value } as Partial<FieldValues<Name>>;
    if (fields[name].kind === 'secret') setSecrets({ ...secrets, ...part });
    else kept.change(part);
  }
  return { fields, written, ...readFields(fields, written), making, isTried, setTried, change };
}

/** The fields say the rest of the input, by their names. */
type BegunChange<Name extends string> = {
  [Kind in ChangeKind]: { kind: Kind; input: Omit<ChangeInput<Kind>, Name> };
}[ChangeKind];

export type ChangeForm<Name extends string> = Form<Name> & {
  readonly want:
    | BegunChange<NoInfer<Name>>
    | ((values: FieldValues<Name>) => WantedChange | string);
  readonly onMade?: ((made: MadeChange, values: FieldValues<Name>) => void) | undefined;
};

export function changeForm<Name extends string>(form: ChangeForm<Name>): Layer {
  const show: Layer = (close) => <ChangeDialog {...form} onClose={close} />;
  return Object.assign(show, { title: form.title });
}

function ChangeDialog<Name extends string>({
  fields: own = {} as FormFields<Name>,
  want,
  children,
  onMade,
  ...form
}: ChangeForm<Name> & { onClose: () => void }) {
  const show = useShow();
  const fields = { ...own, reason: REASON_FIELD } as FormFields<Name | 'reason'>;
  const { written, values, faults, making, isTried, setTried, change } = useForm({
    form: { ...form, fields },
    make: makeChange,
    onMade: (made, given) => {
      announce(made, show);
      onMade?.(made, given);
    },
  });
  const { reason: missingReason, ...others } = faults as Partial<Record<string, string>>;
  const [fault] = Object.values(others);
  const wanted = fault ?? wantedBy(want, own, values);
  const missing = typeof wanted === 'string' ? wanted : null;
  const { value: asked, isSettling } = useSettled(typeof wanted === 'string' ? null : wanted);
  // A change that is being made, or just made, would be previewed as refused.
  const isOpen = making.isIdle || making.isError;
  const preview = useQuery({
    ...read('POST previewChange', { body: asked as WantedChange, timeoutMs: SLOW_MS }),
    // Another operator may act at any time.
    staleTime: 0,
    gcTime: 0,
    enabled: asked !== null && isOpen,
  });
  const isReady =
    missing === null && !isSettling && preview.data !== undefined && !isRefused(preview.error);

  function submit(): void {
    setTried(true);
    if (missingReason || !isReady || asked === null || making.isPending) return;
    const { seen } = preview.data;
    const bound = bindToPreview(asked, preview.data);
    making.mutate({ ...bound, reason: values.reason, ...(seen !== null && { seen }) });
  }

  return (
    <FormDialog
      undoNote={preview.data && describeUndo(preview.data)}
      {...form}
      isDisabled={!isReady}
      isBusy={making.isPending}
      failure={messageOf(making.error)}
      onSubmit={submit}
    >
      {children}
      <Fields<Name> fields={own} values={written} onChange={change} />
      <Preview missing={missing} isSettling={isSettling} preview={preview} />
      <Fields<'reason'>
        fields={{ reason: REASON_FIELD }}
        values={written}
        errors={{ reason: isTried ? missingReason : undefined }}
        onChange={change}
      />
    </FormDialog>
  );
}

export function wantedBy<Name extends string>(
  want: ChangeForm<Name>['want'],
  fields: FormFields<Name>,
  values: FieldValues<Name>,
): WantedChange | string {
  if (typeof want === 'function') return want(values);
  return { ...want, input: { ...want.input, ...readInput(fields, values) } } as WantedChange;
}

function describeUndo({ can_undo }: ChangePreview): string {
  return can_undo ? 'You can undo this for 24 hours.' : 'This cannot be undone.';
}

type PreviewProps = {
  readonly missing: string | null;
  readonly isSettling: boolean;
  readonly preview: UseQueryResult<ChangePreview>;
};

function Preview({ missing, isSettling, preview: { data, error, refetch } }: PreviewProps) {
  let content: ReactNode;
  if (missing !== null) content = <p className="quiet">{missing}</p>;
  else if (isSettling || (!data && !error))
    content = <Skeleton lines={2} label="Working out what changes" />;
  else if (isRefused(error))
    content = (
      <p className="field-error" role="status">
        {messageOf(error)}
      </p>
    );
  else if (data) content = <Sentences sentences={data.sentences} />;
  else return <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />;
  return <WhatChanges>{content}</WhatChanges>;
}

/** The count of a preview that the change is bound to: no more may change than was shown. */
const BOUND = {
  'remove-members': 'members',
  'ask-rewards': 'rewards',
  'mark-rewards-sent': 'rewards',
  reconcile: 'passes',
  'decide-credits': 'credits',
} as const;

function bindToPreview(want: WantedChange, { counts }: ChangePreview): WantedChange {
  const name = want.kind in BOUND ? BOUND[want.kind as keyof typeof BOUND] : null;
  const expected = name === null ? undefined : counts[name];
  if (expected === undefined) return want;
  return { ...want, input: { ...want.input, expected } } as WantedChange;
}

/** A value of a form once nobody is typing, so that not every key press reaches the server. */
export function useSettled<T>(value: T): { readonly value: T; readonly isSettling: boolean } {
  const key = JSON.stringify(value);
  const [settled, setSettled] = useState({ key, value });
  const isSettling = settled.key !== key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the value.
  useEffect(() => {
    if (!isSettling) return;
    const timer = setTimeout(() => setSettled({ key, value }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [key, isSettling]);
  return { value: settled.value, isSettling };
}

function announce({ change, summary, undo_until }: MadeChange, show: (layer: Layer) => void): void {
  const run = () => show(undo(change, summary, 'A mistake, noticed at once.'));
  showToast(summary, undo_until === null ? {} : { action: { label: 'Undo', key: 'u', run } });
}

type PlainForm<Name extends string> = Form<Name> & {
  readonly done?: string;
  readonly make: (values: FieldValues<Name>) => Promise<unknown>;
  readonly explain?: (error: unknown) => string;
};

/** Makes what has no preview. */
export function plainForm<Name extends string>(form: PlainForm<Name>): Layer {
  const show: Layer = (close) => <PlainDialog {...form} onClose={close} />;
  return Object.assign(show, { title: form.title });
}

function PlainDialog<Name extends string>({
  done,
  make,
  explain = messageOf,
  ...form
}: PlainForm<Name> & { onClose: () => void }) {
  const { fields, written, values, faults, making, isTried, setTried, change } = useForm({
    form,
    make,
    onMade: () => {
      if (done !== undefined) showToast(done, { urgency: 'background' });
    },
  });
  const { children, fields: _, ...dialog } = form;

  function submit(): void {
    setTried(true);
    if (Object.keys(faults).length === 0 && !making.isPending) making.mutate(values);
  }

  return (
    <FormDialog
      {...dialog}
      isBusy={making.isPending}
      failure={making.isError ? explain(making.error) : ''}
      onSubmit={submit}
    >
      {children}
      <Fields fields={fields} values={written} errors={isTried ? faults : {}} onChange={change} />
    </FormDialog>
  );
}

type Confirmation = Omit<Form<never>, 'fields' | 'children'> & {
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
    make: ({ reason }) => make(reason),
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

function WhatChanges({ children }: { children: ReactNode }) {
  return (
    <div className="preview">
      <h3 className="label">What changes</h3>
      {children}
    </div>
  );
}

function Sentences({ sentences }: { sentences: readonly string[] }) {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** A change of many members answers when the last of them has joined, or left. */
const SLOW_MS = 120_000;

export const makeChange = (body: ChangeRequest) =>
  call('POST changes', { body, timeoutMs: SLOW_MS });

export const undoChange = (change: number, reason: string) =>
  call('POST undoChange', { at: [change], body: { reason }, timeoutMs: SLOW_MS });
