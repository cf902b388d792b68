import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';

/** What can be done with the selected rows. Render it while there are any. */
export function SelectionBar({
  summary,
  onClear,
  children,
}: {
  /** "3 members selected" */
  summary: string;
  onClear: () => void;
  children: ReactNode;
}) {
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
