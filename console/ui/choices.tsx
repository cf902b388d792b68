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

type CheckboxesProps<Value extends string> = {
  readonly label: string;
  readonly options: Readonly<Record<Value, string>>;
  readonly values: readonly Value[];
  readonly error?: string | undefined;
  readonly onChange: (values: readonly Value[]) => void;
};

export function Checkboxes<Value extends string>({
  label,
  options,
  values,
  error = '',
  onChange,
}: CheckboxesProps<Value>) {
  const all = Object.keys(options) as Value[];
  return (
    <fieldset className="field">
      <legend className="field-label">{label}</legend>
      {all.map((value) => (
        <Checkbox
          key={value}
          label={options[value]}
          checked={values.includes(value)}
          onChange={(isOn) =>
            onChange(all.filter((one) => (one === value ? isOn : values.includes(one))))
          }
        />
      ))}
      <Failure text={error} />
    </fieldset>
  );
}

type SegmentedProps = {
  readonly label: string;
  readonly options: Options;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

export function Segmented({ label, options, value, onChange }: SegmentedProps) {
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
