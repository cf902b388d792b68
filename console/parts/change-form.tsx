import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { ChangePreview, MadeChange, WantedChange } from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { makeChange, SLOW_MS } from '../api/changes.ts';
import { read } from '../api/queries.ts';
import { isRefused, messageOf } from '../api/request.ts';
import { FormDialog, type FormDialogProps, Sentences, WhatChanges } from '../ui/dialogs.tsx';
import {
  Fields,
  type FieldValues,
  type FormFields,
  findMissingReason,
  initialValues,
  REASON_FIELD,
} from '../ui/form-fields.tsx';
import { useKeptFields } from '../ui/kept-state.ts';
import { ErrorState, Skeleton } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { type Layer, useShow } from './changes.tsx';
import { undo } from './plain-form.tsx';
import { Timeline } from './timeline.tsx';

const PAUSE_MS = 250;

type Words = 'title' | 'confirmLabel' | 'cancelLabel' | 'isDanger' | 'undoNote';

export type ChangeForm<Name extends string> = Pick<FormDialogProps, Words> & {
  readonly fields?: FormFields<Name>;
  readonly want: WantedChange | ((values: FieldValues<Name>) => WantedChange | string);
  readonly children?: ReactNode;
  readonly onMade?: ((made: MadeChange, values: FieldValues<Name>) => void) | undefined;
};

export function changeForm<Name extends string>(form: ChangeForm<Name>): Layer {
  return (close) => <ChangeDialog {...form} onClose={close} />;
}

function ChangeDialog<Name extends string>({
  fields = {} as FormFields<Name>,
  want,
  children,
  onMade,
  ...form
}: ChangeForm<Name> & { onClose: () => void }) {
  const client = useQueryClient();
  const show = useShow();
  const [isTried, setTried] = useState(false);
  const kept = useKeptFields(form.title, { ...initialValues(fields), reason: '' });
  const [secrets, setSecrets] = useState<Partial<FieldValues<Name>>>({});
  const values = { ...kept.fields, ...secrets };
  const wanted = typeof want === 'function' ? want(trimAll(values)) : want;
  const missing = typeof wanted === 'string' ? wanted : null;
  const { value: asked, isSettling } = useSettled(typeof wanted === 'string' ? null : wanted);
  const change = useMutation({
    mutationFn: makeChange,
    onSuccess: (made) => {
      announce(made, show);
      kept.forget();
      onMade?.(made, values);
      form.onClose();
    },
    // A change affects more than its subject: positions, counts, the log.
    onSettled: () => client.invalidateQueries(),
  });
  // A change that is being made, or just made, would be previewed as refused.
  const isOpen = change.isIdle || change.isError;
  const preview = useQuery({
    ...read<ChangePreview>({
      path: operatorPaths.previewChange,
      method: 'POST',
      body: asked,
      timeoutMs: SLOW_MS,
    }),
    // Another operator may act at any time.
    staleTime: 0,
    gcTime: 0,
    enabled: asked !== null && isOpen,
  });
  const isReady =
    missing === null && !isSettling && preview.data !== undefined && !isRefused(preview.error);
  const missingReason = findMissingReason(values.reason);

  function submit(): void {
    setTried(true);
    if (missingReason || !isReady || asked === null || change.isPending) return;
    const { seen } = preview.data;
    const bound = bindToPreview(asked, preview.data);
    change.mutate({ ...bound, reason: values.reason.trim(), ...(seen !== null && { seen }) });
  }

  return (
    <FormDialog
      undoNote={preview.data && describeUndo(preview.data)}
      {...form}
      isDisabled={!isReady}
      isBusy={change.isPending}
      failure={messageOf(change.error)}
      onSubmit={submit}
    >
      {children}
      <Fields
        fields={fields}
        values={values}
        onChange={(name, value) => {
          const part = { [name]: value } as Partial<typeof values>;
          if (fields[name].kind === 'secret') setSecrets({ ...secrets, ...part });
          else kept.change(part);
        }}
      />
      <Preview missing={missing} isSettling={isSettling} preview={preview} />
      <Fields<'reason'>
        fields={{ reason: REASON_FIELD }}
        values={values}
        errors={{ reason: isTried ? missingReason : undefined }}
        onChange={(_, reason) => kept.change({ reason } as Partial<typeof values>)}
      />
    </FormDialog>
  );
}

function describeUndo({ can_undo }: ChangePreview): string {
  return can_undo ? 'You can undo this for 24 hours.' : 'This cannot be undone.';
}

function trimAll<Name extends string>(values: FieldValues<Name>): FieldValues<Name> {
  const entries = Object.entries<string>(values).map(([name, text]) => [name, text.trim()]);
  return Object.fromEntries(entries);
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
  else if (data)
    content = (
      <>
        {data.timeline && <Timeline {...data.timeline} />}
        <Sentences sentences={data.sentences} />
      </>
    );
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
