import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';

type PagerProps = {
  /** null: there are none. */
  readonly onNewer: (() => void) | null;
  readonly onOlder: (() => void) | null;
  /** Names of the two directions, if the list is not by time. */
  readonly words?: readonly [newer: string, older: string];
  /** Such as "50 of 12,380". */
  readonly summary?: ReactNode;
};

/** Pages by key: there are neighbours, but no page numbers. */
export function Pager({ onNewer, onOlder, words = ['Newer', 'Older'], summary }: PagerProps) {
  return (
    <nav className="pager" aria-label="Pages">
      <p className="quiet">{summary}</p>
      <Button
        disabled={!onNewer}
        onClick={() => onNewer?.()}
        icon={<ChevronLeft aria-hidden="true" size={16} />}
      >
        {words[0]}
      </Button>
      <Button disabled={!onOlder} onClick={() => onOlder?.()}>
        {words[1]}
        <ChevronRight aria-hidden="true" size={16} />
      </Button>
    </nav>
  );
}
