import { useState } from 'react';
import type { MaskSize } from '../../../contract/operator/masks.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { readStock } from './stock-rules.ts';

/** Puts masks aside for somebody. */
export function AllocateDialog({
  sizes,
  onClose,
}: {
  sizes: readonly MaskSize[];
  onClose: () => void;
}) {
  const [size, setSize] = useState(sizes[0]?.name ?? '');
  const [text, setText] = useState('1');
  const [note, setNote] = useState('');
  const quantity = readStock(text);
  const forWhom = note.trim();
  const isWhole = quantity !== null && quantity > 0 && forWhom !== '';
  return (
    <ChangeDialog
      title="Allocate masks"
      confirmLabel="Allocate"
      want={isWhole ? { kind: 'allocate-masks', input: { size, quantity, note: forWhom } } : null}
      hint="Write how many, and for whom."
      onClose={onClose}
    >
      <Select
        label="Size"
        options={sizes.map(({ name, available }) => ({
          value: name,
          label: `${name} (${available} available)`,
        }))}
        value={size}
        onChange={setSize}
      />
      <TextField
        label="Masks"
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextField
        label="For whom"
        data-autofocus=""
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}
