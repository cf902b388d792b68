import type { ReactNode } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { InlineArt } from '../../ui/inline-art.tsx';

type EmptyStateProps = {
  readonly title: string;
  readonly text: string;
  /** What to do next. */
  readonly action?: ReactNode;
};

/** A page with nothing to show: the unlit mask, what happened, and what to do next. */
export function EmptyState({ title, text, action = <ReturnLink /> }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <div className="empty-state-mask">
        <InlineArt id="mask" draw={maskSvg} />
      </div>
      <div className="empty-state-text">
        <h1>{title}</h1>
        <p>{text}</p>
        <div>{action}</div>
      </div>
    </div>
  );
}

function ReturnLink() {
  return <ButtonLink href={pagePaths.landing()}>Return to Waitlist</ButtonLink>;
}
