import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useLocation } from 'wouter';
import type { Me } from '../../contract/operator/access.ts';
import { messageOf } from '../api/request.ts';
import { Button, type ButtonProps } from '../ui/buttons.tsx';
import { showFailure, showToast } from '../ui/toasts.tsx';

export const SignedIn = createContext<Me | null>(null);

export function useMayWrite(): boolean {
  return useContext(SignedIn)?.role === 'owner';
}

/** What is shown above the screen. Its title names the button that opens it. */
export type Layer = ((close: () => void) => ReactNode) & { readonly title?: string };
type Opened = { readonly key: number; readonly layer: Layer };

const Showing = createContext<(layer: Layer) => void>(() => {});

export const useShow = () => useContext(Showing);

/** A layer outlives what it was opened from, but neither the screen nor Back. */
export function Layers({ children }: { children: ReactNode }) {
  const [place] = useLocation();
  const [shownAt, setShownAt] = useState(place);
  const [layers, setLayers] = useState<readonly Opened[]>([]);
  const lastKey = useRef(0);
  if (shownAt !== place) {
    setShownAt(place);
    setLayers([]);
  }
  useEffect(() => {
    const clear = () => setLayers([]);
    window.addEventListener('popstate', clear);
    return () => window.removeEventListener('popstate', clear);
  }, []);
  const show = useCallback((layer: Layer) => {
    lastKey.current += 1;
    const opened = { key: lastKey.current, layer };
    setLayers((before) => [...before, opened]);
  }, []);
  const close = (key: number) => setLayers((now) => now.filter((layer) => layer.key !== key));
  return (
    <Showing value={show}>
      {children}
      {layers.map(({ key, layer }) => (
        <Fragment key={key}>{layer(() => close(key))}</Fragment>
      ))}
    </Showing>
  );
}

export function useLayerItem() {
  const show = useShow();
  return (label: string, layer: Layer, isDanger = false) => ({
    label,
    isDanger,
    onSelect: () => show(layer),
  });
}

type LayerButtonProps = Omit<ButtonProps, 'children' | 'onClick'> & {
  /** The title of the dialog by default. */
  readonly label?: string;
  readonly dialog: Layer;
};

export function LayerButton({ dialog, label = dialog.title, ...button }: LayerButtonProps) {
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

type ActionOptions<Result> = {
  readonly failed?: string;
  readonly done?: string;
  readonly onDone?: (made: Result) => void;
};

/** Does something without a dialog. A message tells that it is done, or why it has `failed`. */
export function useAction<Input, Result>(
  mutationFn: (input: Input) => Promise<Result>,
  { failed = 'Not changed', done, onDone }: ActionOptions<Result> = {},
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: (made) => {
      onDone?.(made);
      if (done !== undefined) showToast(done, { urgency: 'background' });
    },
    onError: (error) => showFailure(failed, messageOf(error)),
    // A refusal may mean that another operator has been faster.
    onSettled: () => client.invalidateQueries(),
  });
}
