import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import type { Ref } from 'react';
import { Button } from './button.tsx';

type CopyFieldProps = {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly isCopied: boolean;
  readonly onCopy: () => void;
};

export function CopyField({ id, label, value, inputRef, isCopied, onCopy }: CopyFieldProps) {
  return (
    <div className="copy-field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        ref={inputRef}
        id={id}
        className="input"
        readOnly
        value={value}
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="secondary"
        className="copy-button"
        data-copied={isCopied}
        aria-label={`Copy ${label.toLowerCase()}`}
        onClick={onCopy}
      >
        {isCopied ? <Check aria-hidden="true" size={20} /> : <Copy aria-hidden="true" size={20} />}
      </Button>
    </div>
  );
}
