import Search from 'lucide-react/icons/search';
import {
  type ComponentPropsWithRef,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';

const SETTLE_MS = 250;

export type FormProps = {
  readonly id?: string;
  readonly className?: string;
  readonly failure?: string;
  /** Whether the browser names what is missing; otherwise the caller does. */
  readonly isChecked?: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
};

export function Form({ failure, isChecked = false, onSubmit, children, ...form }: FormProps) {
  return (
    <form
      {...form}
      noValidate={!isChecked}
      onSubmit={(event) => {
        event.preventDefault();
        const { currentTarget: element } = event;
        onSubmit();
        // The fields say what is wrong with them when they are drawn anew.
        requestAnimationFrame(() => element.querySelector<HTMLElement>('[aria-invalid]')?.focus());
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      {children}
      <Failure text={failure} />
    </form>
  );
}

export function Failure({ text, id }: { text: string | undefined; id?: string }) {
  return (
    <p id={id} className="field-error" role="alert">
      {text}
    </p>
  );
}

type FieldKind = 'checkbox' | 'checkboxes' | 'segmented' | 'area' | 'select' | InputKind;
type InputKind = keyof typeof INPUTS;

const INPUTS = {
  text: { type: 'text' },
  decimal: { type: 'text', inputMode: 'decimal' },
  email: { type: 'email' },
  moment: { type: 'datetime-local' },
  number: { type: 'text', inputMode: 'numeric' },
  /** Stored nowhere in the browser. */
  secret: { type: 'password', autoComplete: 'off', maxLength: 500 },
  time: { type: 'time' },
  url: { type: 'url' },
} as const;

type Option = { readonly value: string; readonly label: string };

/** Labels by value; an array where values may be numbers, which would change their order. */
type Options = Readonly<Record<string, string>> | readonly Option[];

function listOptions(options: Options): readonly Option[] {
  if (Array.isArray(options)) return options;
  return Object.entries(options).map(([value, label]) => ({ value, label }));
}

export type FieldProps = Omit<
  ComponentPropsWithRef<'input'>,
  'id' | 'type' | 'ref' | 'value' | 'onChange' | 'required'
> & {
  readonly label: string;
  readonly kind?: FieldKind;
  readonly value: string;
  readonly options?: Options;
  readonly rows?: number;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly isLabelHidden?: boolean;
  readonly isRequired?: boolean;
  /** Gets the focus when its dialog opens, if no field before it does. */
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
};

/** A field of a form, whose value is a text in every kind. */
export function Field(field: FieldProps) {
  const { kind, label, options = {}, value, hint, error, onChange } = field;
  const choices = { label, options, value, onChange };
  if (kind === 'checkboxes') return <Checkboxes {...choices} error={error} />;
  if (kind === 'checkbox')
    return (
      <Checkbox label={label} checked={value !== ''} onChange={(is) => onChange(is ? 'yes' : '')} />
    );
  if (kind !== 'segmented') return <Control {...field} />;
  return (
    <div className="field">
      <Segmented {...choices} />
      {hint && (
        <p className="field-hint" role="status">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Selects and dates are the browser's: phones show their own wheel, and keyboards type ahead. */
function Control({
  label,
  kind = 'text',
  value,
  options = {},
  rows = 5,
  hint,
  error,
  isLabelHidden = false,
  isRequired,
  isFirst,
  onChange,
  ...input
}: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const isMoment = kind === 'moment';
  const control = {
    id,
    value: isMoment ? toLocalInput(value) : value,
    required: isRequired,
    'data-autofocus': isFirst,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(isMoment ? fromLocalInput(currentTarget.value) : currentTarget.value),
  };
  return (
    <div className="field">
      <label className={isLabelHidden ? 'visually-hidden' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      {kind === 'area' ? (
        <textarea
          {...control}
          className="input text-area"
          rows={rows}
          maxLength={input.maxLength}
        />
      ) : kind === 'select' ? (
        <select {...control} className="input select">
          {listOptions(options).map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input {...INPUTS[kind as InputKind]} {...input} {...control} className="input" />
      )}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      <Failure id={`${id}-error`} text={error} />
    </div>
  );
}

export const Select = (field: Omit<FieldProps, 'kind'>) => <Field {...field} kind="select" />;

/** Turns ISO 8601 into the browser's "2030-01-31T09:30" of its own time zone. */
export function toLocalInput(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

export function fromLocalInput(local: string): string {
  const time = new Date(local);
  return local === '' || Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

type SearchFieldProps = {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
};

export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const id = useId();
  const search = useEffectEvent(onChange);
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  if (value !== shown) {
    setShown(value);
    setText(value);
  }
  useEffect(() => {
    if (text.trim() === shown) return;
    const timer = setTimeout(() => search(text.trim()), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, shown]);

  return (
    <div className="search-field">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Search aria-hidden="true" size={16} />
      <input
        id={id}
        type="search"
        className="input"
        data-search=""
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(text.trim());
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation();
            setText('');
          }
        }}
      />
      <span className="key-hint" aria-hidden="true">
        /
      </span>
    </div>
  );
}

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
function Checkboxes({
  label,
  options,
  value,
  error,
  onChange,
}: ChoicesProps & { error: string | undefined }) {
  const all = listOptions(options);
  const checked = value.split(' ');
  function change(changed: string, isOn: boolean): void {
    const values = all.map((option) => option.value);
    onChange(values.filter((one) => (one === changed ? isOn : checked.includes(one))).join(' '));
  }
  return (
    <fieldset className="field">
      <legend className="field-label">{label}</legend>
      {all.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          checked={checked.includes(option.value)}
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
