import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useState } from 'react';
import { toasts } from '../toasts/toasts.ts';

const TICK_MS = 2000;

/** A code, id or address with a button that copies it. `label` names it: "Copy invite link". */
export function CodeText({ label, value }: { label: string; value: string }) {
  const [copies, setCopies] = useState(0);
  useEffect(() => {
    if (copies === 0) return;
    const timer = setTimeout(() => setCopies(0), TICK_MS);
    return () => clearTimeout(timer);
  }, [copies]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
      setCopies((count) => count + 1);
    } catch {
      toasts.show({
        title: 'Copy failed',
        description: 'The browser does not allow it. Select the text instead.',
        variant: 'destructive',
        urgency: 'foreground',
      });
    }
  }

  return (
    <span className="code-text">
      <code>{value}</code>
      <button
        type="button"
        className="icon-button"
        aria-label={`Copy ${label}`}
        data-copied={copies > 0}
        onClick={copy}
      >
        {copies > 0 ? (
          <Check aria-hidden="true" size={15} />
        ) : (
          <Copy aria-hidden="true" size={15} />
        )}
      </button>
      <span className="visually-hidden" role="status">
        {copies > 0 ? 'Copied' : ''}
      </span>
    </span>
  );
}
