import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { MadeChange } from '../../../contract/operator/changes.ts';
import { undoImport } from '../../api/imports.ts';
import { messageOf } from '../../api/request-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Banner } from '../../ui/data/banner.tsx';
import { ConfirmDialog } from '../../ui/layers/confirm-dialog.tsx';

/** What was done, and its undo. */
export function ImportedSection({ made }: { made: MadeChange }) {
  const [isAsking, setAsking] = useState(false);
  const undo = useMutation({
    mutationFn: (reason: string) => undoImport(made.change, reason),
    onSuccess: () => setAsking(false),
  });
  if (undo.data) return <Banner>{undo.data.summary}</Banner>;
  return (
    <>
      <Banner tone="charged" action={<Button onClick={() => setAsking(true)}>Undo</Button>}>
        {made.summary}
      </Banner>
      {isAsking && (
        <ConfirmDialog
          title="Undo the import"
          preview={{
            state: 'ready',
            sentences: [
              'The imported members leave the line again.',
              'Those who have brought friends since stay.',
            ],
          }}
          undoNote="Cannot be undone: import the file again."
          confirmLabel="Undo the import"
          isDanger
          isBusy={undo.isPending}
          failure={undo.isError ? messageOf(undo.error) : ''}
          onConfirm={(reason) => undo.mutate(reason)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
