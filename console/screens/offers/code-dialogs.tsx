import { useState } from 'react';
import { ChangeDialog } from '../../parts/change-dialog.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { TextArea, TextField } from '../../ui/controls/text-field.tsx';

type CodesProps = { readonly sizes: readonly string[]; readonly onClose: () => void };

/** As many as one call takes. */
const MAX_IMPORTED = 200;
const MAX_MADE = 1000;

/** One code per line; longer lists come from the command line. */
export function ImportCodesDialog({ sizes, onClose }: CodesProps) {
  const [text, setText] = useState('');
  const [size, setSize] = useState('');
  const codes = text.split('\n').flatMap((line) => line.trim() || []);
  const isMany = codes.length > MAX_IMPORTED;
  return (
    <ChangeDialog
      title="Import codes of the shop"
      confirmLabel="Import"
      undoNote="You can undo this for 24 hours, until a member has one of them."
      want={
        codes.length === 0 || isMany
          ? null
          : { kind: 'import-codes', input: { codes, ...(size !== '' && { size }) } }
      }
      hint={
        isMany
          ? `At most ${MAX_IMPORTED} at once: longer lists are imported from the command line.`
          : 'Paste codes, one per line.'
      }
      onClose={onClose}
    >
      <TextArea
        label="Codes"
        hint="One per line. Each is given to one member."
        data-autofocus=""
        rows={5}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <SizeSelect sizes={sizes} value={size} onChange={setSize} />
    </ChangeDialog>
  );
}

/** Codes that the shop can know before the first offer. */
export function MakeCodesDialog({ sizes, onClose }: CodesProps) {
  const [text, setText] = useState('');
  const [size, setSize] = useState('');
  const count = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return (
    <ChangeDialog
      title="Make codes beforehand"
      confirmLabel="Make"
      undoNote="You can undo this for 24 hours, until a member has one of them."
      want={
        count === 0 || count > MAX_MADE
          ? null
          : { kind: 'make-codes', input: { count, ...(size !== '' && { size }) } }
      }
      hint="Write how many, from 1 to 1,000."
      onClose={onClose}
    >
      <TextField
        label="How many"
        inputMode="numeric"
        data-autofocus=""
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <SizeSelect sizes={sizes} value={size} onChange={setSize} />
    </ChangeDialog>
  );
}

function SizeSelect({
  sizes,
  value,
  onChange,
}: Pick<CodesProps, 'sizes'> & { value: string; onChange: (size: string) => void }) {
  return (
    <Select
      label="Size"
      options={[
        { value: '', label: 'Any size' },
        ...sizes.map((size) => ({ value: size, label: size })),
      ]}
      value={value}
      onChange={onChange}
    />
  );
}
