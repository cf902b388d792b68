import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import { undoChange } from '../api/changes.ts';
import { messageOf } from '../api/request.ts';
import { Button, type ButtonProps } from '../ui/buttons.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from '../ui/dialogs.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useMayWrite } from './signed-in.ts';

/** Returns a dialog or sheet, given the function that closes it. */
export type Layer = (close: () => void) => ReactNode;
type Opened = { readonly key: number; readonly layer: Layer };

const Showing = createContext<(layer: Layer) => void>(() => {});

/** Returns a function that shows a layer above the screen. */
export const useShow = () => useContext(Showing);

/**
 * Stands around the screens: a layer, with what was written in it, stays when somebody else's
 * change removes what it was opened from. It goes with the screen, and by Back.
 */
export function Layers({ children }: { children: ReactNode }) {
  const [place] = useLocation();
  const [open, setOpen] = useState<{ place: string; next: number; layers: readonly Opened[] }>({
    place,
    next: 0,
    layers: [],
  });
  if (open.place !== place) setOpen({ ...open, place, layers: [] });
  useEffect(() => {
    const clear = () => setOpen((now) => ({ ...now, layers: [] }));
    window.addEventListener('popstate', clear);
    return () => window.removeEventListener('popstate', clear);
  }, []);
  const show = useCallback(
    (layer: Layer) =>
      setOpen(({ next: key, layers, ...rest }) => {
        return { ...rest, next: key + 1, layers: [...layers, { key, layer }] };
      }),
    [],
  );
  const close = (key: number) =>
    setOpen((now) => ({ ...now, layers: now.layers.filter((one) => one.key !== key) }));
  return (
    <Showing value={show}>
      {children}
      {open.layers.map(({ key, layer }) => (
        <Fragment key={key}>{layer(() => close(key))}</Fragment>
      ))}
    </Showing>
  );
}

/** Returns a function that makes the item of a menu which shows a layer. */
export function useLayerItem() {
  const show = useShow();
  return (label: string, layer: Layer, isDanger = false) => ({
    label,
    isDanger,
    onSelect: () => show(layer),
  });
}

type LayerButtonProps = Omit<ButtonProps, 'children' | 'onClick'> & {
  readonly label: string;
  readonly dialog: Layer;
};

export function LayerButton({ label, dialog, ...button }: LayerButtonProps) {
  const show = useShow();
  return (
    <Button {...button} onClick={() => show(dialog)}>
      {label}
    </Button>
  );
}

type ActionButtonProps = LayerButtonProps & { readonly isOffered?: boolean };

/** Shown to owners only. */
export function ActionButton({ isOffered = true, ...button }: ActionButtonProps) {
  return useMayWrite() && isOffered && <LayerButton {...button} />;
}

type ConfirmationProps = Pick<
  ConfirmDialogProps,
  'title' | 'confirmLabel' | 'undoNote' | 'initialReason' | 'isDanger'
> & {
  readonly sentences: readonly string[];
  readonly make: (reason: string) => Promise<unknown>;
};

/** The dialog of a change that has no preview of the server, but needs a reason. */
export function confirmation(change: ConfirmationProps): Layer {
  return (close) => <Confirmation {...change} onClose={close} />;
}

function Confirmation({
  sentences,
  make,
  onClose,
  ...words
}: ConfirmationProps & { onClose: () => void }) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: make,
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <ConfirmDialog
      {...words}
      preview={{ state: 'ready', sentences }}
      isBusy={change.isPending}
      failure={messageOf(change.error)}
      onConfirm={change.mutateAsync}
      onClose={onClose}
    />
  );
}

export const undo = (change: number, summary: string, initialReason?: string) =>
  confirmation({
    title: `Undo change ${change}`,
    confirmLabel: 'Undo',
    undoNote: 'An undo is for good.',
    initialReason,
    sentences: [`Takes back: ${summary}`],
    make: async (reason) => {
      const made = await undoChange(change, reason);
      showToast(made.summary, { description: `Undone: ${summary}` });
    },
  });
