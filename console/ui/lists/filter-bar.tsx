import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';

type Chip = {
  readonly key: string;
  /** "Tier: Gold" */
  readonly label: string;
  readonly onRemove: () => void;
};

type FilterBarProps = {
  readonly search?: ReactNode;
  /** Selects and menus that add to the filter. */
  readonly controls?: ReactNode;
  /** What is filtered for now. */
  readonly chips?: readonly Chip[];
  readonly onClear?: () => void;
  /** At the end of the bar, such as a count. */
  readonly summary?: ReactNode;
};

/** Above a list: what is shown of it, each part with a way back. */
export function FilterBar({ search, controls, chips = [], onClear, summary }: FilterBarProps) {
  return (
    <search className="filter-bar" aria-label="Filter">
      {search}
      {controls}
      {summary !== undefined && (
        <p className="filter-summary" role="status">
          {summary}
        </p>
      )}
      {chips.length > 0 && (
        <ul className="chips" aria-label="Active filters">
          {chips.map(({ key, label, onRemove }) => (
            <li key={key} className="chip">
              {label}
              <button type="button" aria-label={`Remove the filter ${label}`} onClick={onRemove}>
                <X aria-hidden="true" size={14} />
              </button>
            </li>
          ))}
          {onClear && (
            <li>
              <button type="button" className="button button-quiet" onClick={onClear}>
                Clear all
              </button>
            </li>
          )}
        </ul>
      )}
    </search>
  );
}
