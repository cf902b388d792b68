import { type ComponentPropsWithRef, type ReactNode, useEffect, useRef } from 'react';

type CheckboxProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'onChange' | 'ref'> & {
  readonly label: ReactNode;
  readonly isLabelHidden?: boolean;
  /** Indeterminate: some of its items are checked, not all. */
  readonly isPartial?: boolean;
  readonly onChange: (isChecked: boolean) => void;
};

export function Checkbox({
  label,
  isLabelHidden = false,
  isPartial = false,
  onChange,
  ...input
}: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartial;
  }, [isPartial]);
  return (
    <label className="checkbox">
      <input
        {...input}
        ref={box}
        type="checkbox"
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={isLabelHidden ? 'visually-hidden' : ''}>{label}</span>
    </label>
  );
}
