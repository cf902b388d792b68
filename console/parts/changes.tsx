import { type UseQueryResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import type { ChangePreview, MadeChange, WantedChange } from '../../contract/operator/changes.ts';
import { makeChange, previewQuery, undoChange } from '../api/changes.ts';
import { isRefused, messageOf } from '../api/request.ts';
import { Button, type ButtonProps } from '../ui/buttons.tsx';
import { ConfirmDialog, type Preview } from '../ui/dialogs.tsx';
import { Timeline } from '../ui/timeline.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useMayWrite } from './signed-in.ts';

const PAUSE_MS = 250;

export type ChangeDialogProps = {
  readonly title: string;
  /** The change; or, while `children` are incomplete, what is missing. */
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

export function ChangeDialog({
  want,
  undoNote = 'You can undo this for 24 hours.',
  objection,
  isSilent = false,
  onMade,
  previewEveryMs,
  ...dialog
}: ChangeDialogProps) {
  const client = useQueryClient();
  const announce = useContext(Announcement);
  const wanted = typeof want === 'string' ? null : want;
  const { value: asked, isSettling } = useSettled(wanted);
  const [isObjected, setObjected] = useState(false);
  const change = useMutation({
    mutationFn: makeChange,
    onSuccess: (made) => {
      if (!isSilent) announce(made);
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

export type ActionButtonProps = Omit<ButtonProps, 'children' | 'onClick'> & {
  readonly label: string;
  /** Without it an open dialog stays, with what was written: somebody else may have acted. */
  readonly isOffered?: boolean;
  readonly dialog: (close: () => void) => ReactNode;
};

export function ActionButton({ label, isOffered = true, dialog, ...button }: ActionButtonProps) {
  const mayWrite = useMayWrite();
  const [isOpen, setOpen] = useState(false);
  if (!mayWrite) return null;
  return (
    <>
      {isOffered && (
        <Button {...button} onClick={() => setOpen(true)}>
          {label}
        </Button>
      )}
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

type ChangeButtonProps = Omit<ActionButtonProps, 'dialog'> & {
  readonly change: Omit<ChangeDialogProps, 'onClose'>;
};

export function ChangeButton({ change, ...button }: ChangeButtonProps) {
  return (
    <ActionButton {...button} dialog={(close) => <ChangeDialog {...change} onClose={close} />} />
  );
}

const Announcement = createContext<(made: MadeChange) => void>(() => {});

/** Stands around the screens, so that the undo outlives the one that made the change. */
export function ChangeNotice({ children }: { children: ReactNode }) {
  const [undone, setUndone] = useState<MadeChange | null>(null);
  const announce = useCallback((made: MadeChange) => {
    showToast(
      made.summary,
      made.undo_until === null
        ? {}
        : { action: { label: 'Undo', key: 'u', run: () => setUndone(made) } },
    );
  }, []);
  return (
    <Announcement value={announce}>
      {children}
      {undone && (
        <UndoDialog
          change={undone.change}
          summary={undone.summary}
          usualReason="A mistake, noticed at once."
          onClose={() => setUndone(null)}
        />
      )}
    </Announcement>
  );
}

type UndoDialogProps = {
  readonly change: number;
  readonly summary: string;
  readonly usualReason?: string;
  readonly onClose: () => void;
};

export function UndoDialog({ change, summary, usualReason, onClose }: UndoDialogProps) {
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: (reason: string) => undoChange(change, reason),
    onSuccess: (made) => {
      showToast(made.summary, { description: `Undone: ${summary}` });
      onClose();
    },
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      title={`Undo change ${change}`}
      confirmLabel="Undo"
      undoNote="An undo is for good."
      initialReason={usualReason}
      preview={{ state: 'ready', sentences: [`Takes back: ${summary}`] }}
      isBusy={undo.isPending}
      failure={messageOf(undo.error)}
      onConfirm={(reason) => undo.mutateAsync(reason)}
      onClose={onClose}
    />
  );
}
