import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { ChangePreview, MadeChange, WantedChange } from '../../contract/operator/changes.ts';
import { makeChange, previewQuery } from '../api/changes.ts';
import { isRefused, messageOf } from '../api/request.ts';
import { ConfirmDialog, type Preview } from '../ui/dialogs.tsx';
import { Fields, type FieldValues, type FormFields, initialValues } from '../ui/form-fields.tsx';
import { useKeptFields } from '../ui/kept-state.ts';
import { Timeline } from '../ui/timeline.tsx';
import { showToast } from '../ui/toasts.tsx';
import { type Layer, undo, useShow } from './changes.tsx';

const PAUSE_MS = 250;

type ChangeDialogProps = {
  readonly title: string;
  /** The change, or what is missing in the fields. */
  readonly want: WantedChange | string;
  readonly confirmLabel: string;
  readonly cancelLabel?: string;
  readonly isDanger?: boolean;
  readonly undoNote?: string | undefined;
  readonly objection?: string;
  readonly children?: ReactNode;
  readonly onClose: () => void;
  /** Whether the caller shows what was done; otherwise a toast does. */
  readonly isSilent?: boolean;
  readonly onMade?: ((made: MadeChange) => void) | undefined;
  /** Milliseconds between two previews of what moves by itself. */
  readonly previewEveryMs?: number;
};

export type ChangeFormProps<Name extends string> = Omit<ChangeDialogProps, 'want' | 'onMade'> & {
  readonly fields?: FormFields<Name>;
  /** The change; of trimmed `fields`, or what is missing in them. */
  readonly want: WantedChange | ((values: FieldValues<Name>) => WantedChange | string);
  readonly wordsOf?: (values: FieldValues<Name>) => Partial<ChangeDialogProps>;
  readonly onMade?: ((made: MadeChange, values: FieldValues<Name>) => void) | undefined;
};

/** The dialog of a change, made of its description. */
export function changeForm<Name extends string>(
  form: Omit<ChangeFormProps<Name>, 'onClose'>,
): Layer {
  return (close) => <ChangeForm {...form} onClose={close} />;
}

export function ChangeForm<Name extends string>({
  fields = {} as FormFields<Name>,
  want,
  wordsOf,
  onMade,
  children,
  ...dialog
}: ChangeFormProps<Name>) {
  const { fields: kept, change } = useKeptFields(dialog.title, initialValues(fields));
  const [secrets, setSecrets] = useState<Partial<typeof kept>>({});
  const values = { ...kept, ...secrets };
  const entries = Object.entries<string>(values).map(([name, value]) => [name, value.trim()]);
  const trimmed: typeof values = Object.fromEntries(entries);
  return (
    <ChangeDialog
      {...dialog}
      {...wordsOf?.(values)}
      want={typeof want === 'function' ? want(trimmed) : want}
      onMade={(made) => onMade?.(made, values)}
    >
      {children}
      <Fields
        fields={fields}
        values={values}
        onChange={(name, value) => {
          const part = { [name]: value } as Partial<typeof kept>;
          if (fields[name].kind === 'secret') setSecrets({ ...secrets, ...part });
          else change(part);
        }}
      />
    </ChangeDialog>
  );
}

function ChangeDialog({
  want,
  undoNote = 'You can undo this for 24 hours.',
  objection,
  isSilent = false,
  onMade,
  previewEveryMs,
  ...dialog
}: ChangeDialogProps) {
  const client = useQueryClient();
  const show = useShow();
  const wanted = typeof want === 'string' ? null : want;
  const { value: asked, isSettling } = useSettled(wanted);
  const [isObjected, setObjected] = useState(false);
  const change = useMutation({
    mutationFn: makeChange,
    onSuccess: (made) => {
      if (!isSilent) announce(made, show);
      onMade?.(made);
      dialog.onClose();
      // A change affects more than its subject: positions, counts, the log.
      return client.invalidateQueries();
    },
    onError: () => client.invalidateQueries(),
  });
  // A change that is being made, or just made, would be previewed as refused.
  const isOpen = change.isIdle || change.isError;
  const preview = useQuery({
    ...previewQuery(asked),
    enabled: asked !== null && isOpen,
    refetchInterval: previewEveryMs ?? false,
  });

  function confirm(reason: string): Promise<MadeChange> | undefined {
    if (wanted === null || isSettling || !preview.data) return undefined;
    setObjected(objection !== undefined);
    if (objection !== undefined) return undefined;
    const { seen } = preview.data;
    const bound = bindToPreview(wanted, preview.data);
    return change.mutateAsync({ ...bound, reason, ...(seen !== null && { seen }) });
  }

  const viewed: Preview = isSettling ? { state: 'loading' } : viewPreview(preview);
  return (
    <ConfirmDialog
      {...dialog}
      preview={typeof want === 'string' ? { state: 'waiting', hint: want } : viewed}
      undoNote={undoNote}
      isBusy={change.isPending}
      failure={(isObjected && objection) || messageOf(change.error)}
      onConfirm={confirm}
    />
  );
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

function viewPreview({ data, error, refetch }: UseQueryResult<ChangePreview>): Preview {
  const message = messageOf(error);
  if (isRefused(error)) return { state: 'refused', message };
  if (data)
    return {
      state: 'ready',
      sentences: data.sentences,
      drawing: data.timeline && <Timeline {...data.timeline} />,
    };
  if (error) return { state: 'failed', message, onRetry: () => void refetch() };
  return { state: 'loading' };
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
