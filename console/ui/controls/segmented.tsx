import { useId } from 'react';
import type { Option } from './select.tsx';

type SegmentedProps = {
  /** What is chosen, for assistive technology. */
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly disabled?: boolean;
};

/** One of a few, all in view: radio buttons that look like one control. */
export function Segmented({ label, options, value, onChange, disabled }: SegmentedProps) {
  const name = useId();
  return (
    <fieldset className="segmented" disabled={disabled}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
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
