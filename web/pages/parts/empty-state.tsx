import type { ReactNode } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { landingPath, useReferralCode } from '../../browser/use-referral-code.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { InlineArt } from '../../ui/inline-art.tsx';

type EmptyStateProps = {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
};

export function EmptyState({ title, text, action }: EmptyStateProps) {
  const referral = useReferralCode();
  return (
    <div className="empty-state">
      <div className="empty-state-mask">
        <InlineArt id="mask" draw={maskSvg} />
      </div>
      <div className="stack empty-state-text">
        <h1>{title}</h1>
        <p>{text}</p>
        <div className="empty-state-actions">
          {action}
          <ButtonLink href={landingPath(referral)} variant={action ? 'secondary' : 'primary'}>
            Return to Waitlist
          </ButtonLink>
        </div>
      </div>
    </div>
  );
}
