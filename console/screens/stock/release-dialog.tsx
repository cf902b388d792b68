import { useState } from 'react';
import type { Allocation } from '../../../contract/operator/masks.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';

/** Masks that were put aside are available again. */
export function ReleaseDialog({
  allocation: { id, size, quantity },
  onClose,
}: {
  allocation: Allocation;
  onClose: () => void;
}) {
  const [note, setNote] = useState('');
  const written = note.trim();
  return (
    <ChangeDialog
      title={`Release ${quantity}, ${size}`}
      confirmLabel="Release"
      want={
        written === ''
          ? null
          : { kind: 'release-masks', input: { allocation_id: id, note: written } }
      }
      hint="Write a note that stays with the allocation."
      onClose={onClose}
    >
      <TextField
        label="Note"
        data-autofocus=""
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}
