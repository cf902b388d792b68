import Search from 'lucide-react/icons/search';
import { type ComponentPropsWithRef, useEffect, useId, useState } from 'react';

/** Long enough to type a word, short enough to feel live. */
const SETTLE_MS = 250;

type SearchFieldProps = Omit<ComponentPropsWithRef<'input'>, 'value' | 'onChange' | 'type'> & {
  readonly label: string;
  /** Of the search that is shown. */
  readonly value: string;
  /** Called when typing pauses, and at once by Enter. */
  readonly onSearch: (text: string) => void;
};

/** The search of a screen. `/` moves the focus here; Escape empties it. */
export function SearchField({ label, value, onSearch, ...input }: SearchFieldProps) {
  const id = useId();
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  if (value !== shown) {
    setShown(value);
    setText(value);
  }
  useEffect(() => {
    if (text.trim() === shown) return;
    const timer = setTimeout(() => onSearch(text.trim()), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, shown, onSearch]);

  return (
    <div className="search-field">
      <label className="visually-hidden" htmlFor={id}>
        {label}
      </label>
      <Search aria-hidden="true" size={16} />
      <input
        {...input}
        id={id}
        type="search"
        className="input"
        data-search=""
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSearch(text.trim());
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
