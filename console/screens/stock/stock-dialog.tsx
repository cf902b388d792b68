import { useState } from 'react';
import type { MaskSize } from '../../../contract/operator/masks.ts';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { readStock } from './stock-rules.ts';

export function StockDialog({
  size: { name, stock },
  onClose,
}: {
  size: MaskSize;
  onClose: () => void;
}) {
  const [text, setText] = useState(String(stock));
  const wanted = readStock(text);
  return (
    <ChangeDialog
      title={`Change the stock of ${name}`}
      want={
        wanted === null || wanted === stock
          ? null
          : { kind: 'set-stock', input: { size: name, stock: wanted } }
      }
      hint={wanted === null ? 'Enter a whole number.' : 'Enter another number.'}
      confirmLabel="Change"
      onClose={onClose}
    >
      <TextField
        label="Stock"
        inputMode="numeric"
        data-autofocus=""
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ChangeDialog>
  );
}
