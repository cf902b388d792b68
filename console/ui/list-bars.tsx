import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Button } from './buttons.tsx';

type FilterBarProps = {
  readonly children: ReactNode;
  readonly chips?: readonly { readonly label: string; readonly onRemove: () => void }[];
  readonly onClear?: () => void;
  readonly summary?: ReactNode;
};

export function FilterBar({ children, chips = [], onClear, summary }: FilterBarProps) {
  return (
    <search className="filter-bar" aria-label="Filter">
      {children}
      {summary !== undefined && (
        <p className="filter-summary" role="status">
          {summary}
        </p>
      )}
      {chips.length > 0 && (
        <ul className="chips" aria-label="Active filters">
          {chips.map(({ label, onRemove }) => (
            <li key={label} className="chip">
              {label}
              <button type="button" aria-label={`Remove the filter ${label}`} onClick={onRemove}>
                <X aria-hidden="true" size={14} />
              </button>
            </li>
          ))}
          <li>
            <Button variant="quiet" onClick={onClear}>
              Clear all
            </Button>
          </li>
        </ul>
      )}
    </search>
  );
}

type SelectionBarProps = {
  readonly summary: string;
  readonly onClear: () => void;
  readonly children: ReactNode;
};

export function SelectionBar({ summary, onClear, children }: SelectionBarProps) {
  return (
    <section className="selection-bar" aria-label="Selection">
      <p role="status">{summary}</p>
      {children}
      <button type="button" className="icon-button" aria-label="Clear selection" onClick={onClear}>
        <X aria-hidden="true" size={18} />
      </button>
    </section>
  );
}
