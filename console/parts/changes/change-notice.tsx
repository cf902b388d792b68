/** The toast after a change, with its undo as long as there is one. */
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import type { MadeChange } from '../../../contract/operator/changes.ts';
import { toasts } from '../../ui/toasts/toasts.ts';
import { UndoDialog } from './undo-dialog.tsx';

const Notice = createContext<(made: MadeChange) => void>(() => {});

/** Around the screens, so that the undo outlives the one that made the change. */
export function ChangeNotice({ children }: { children: ReactNode }) {
  const [undone, setUndone] = useState<MadeChange | null>(null);
  const tell = useCallback((made: MadeChange) => {
    toasts.show({
      title: made.summary,
      variant: 'default',
      urgency: 'foreground',
      ...(made.undo_until !== null && {
        action: { label: 'Undo', key: 'u', run: () => setUndone(made) },
      }),
    });
  }, []);
  return (
    <Notice value={tell}>
      {children}
      {undone && (
        <UndoDialog
          change={undone.change}
          summary={undone.summary}
          usualReason="A mistake, noticed at once."
          onClose={() => setUndone(null)}
        />
      )}
    </Notice>
  );
}

/** Tells what was changed, and offers the undo. */
export function useChangeNotice(): (made: MadeChange) => void {
  return useContext(Notice);
}
