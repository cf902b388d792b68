import { type ComponentPropsWithRef, type ReactNode, useEffect, useId, useRef } from 'react';
import { Failure, listOptions, type Options } from './fields.tsx';

type CheckboxProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'onChange' | 'ref'> & {
  readonly label: ReactNode;
  readonly isLabelHidden?: boolean;
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

type ChoicesProps = {
  readonly label: string;
  readonly options: Options;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** Its value has those that are checked, with spaces between them. */
export function Checkboxes({
  label,
  options,
  value,
  error,
  onChange,
}: ChoicesProps & { error: string | undefined }) {
  const all = listOptions(options);
  const isChecked = (one: string) => value.split(' ').includes(one);
  function change(changed: string, isOn: boolean): void {
    const values = all.map((option) => option.value);
    onChange(values.filter((one) => (one === changed ? isOn : isChecked(one))).join(' '));
  }
  return (
    <fieldset className="field">
      <legend className="field-label">{label}</legend>
      {all.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          checked={isChecked(option.value)}
          onChange={(isOn) => change(option.value, isOn)}
        />
      ))}
      <Failure text={error} />
    </fieldset>
  );
}

export function Segmented({ label, options, value, onChange }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">{label}</legend>
      {listOptions(options).map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            className="segment"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
