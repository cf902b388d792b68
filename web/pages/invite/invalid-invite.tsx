import { useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { pagePaths } from '../../../contract/paths.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import type { LandingState } from '../landing/landing-page.tsx';

export const INVALID = 'Invalid Invite';
export const UNVERIFIED = 'Check failed';

/** docs/behaviour.md 9 */
const REDIRECT_DELAY_MS = 3000;

type InvalidInviteProps = {
  readonly reason: string;
  readonly unverified?: string;
  readonly onRetry?: () => void;
};

/** Takes the focus to be announced, and redirects unless the visitor stays (WCAG 2.2.1). */
export function InvalidInvite({ reason, unverified, onRetry }: InvalidInviteProps) {
  const [isLeaving, setIsLeaving] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  const landing = landingPath(unverified);

  useEffect(() => {
    if (!isLeaving) return;
    const state: LandingState = { isInviteRefused: unverified === undefined };
    const leave = () => navigate(landing, { replace: true, state });
    const timer = setTimeout(leave, REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isLeaving, landing, unverified]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: staying removes the focused button.
  useEffect(() => heading.current?.focus(), [isLeaving]);

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="invite-title">
        {unverified ? UNVERIFIED : INVALID}
      </h1>
      <p>{reason}</p>
      {unverified && <p>Your invite is not lost: it goes with you to the waitlist.</p>}
      <p className="quiet" role="status">
        {isLeaving ? 'Taking you to the waitlist in 3 seconds.' : 'You are staying on this page.'}
      </p>
      <div className="invite-actions">
        {onRetry && <Button onClick={onRetry}>Retry</Button>}
        <ButtonLink href={landing} variant={onRetry ? 'secondary' : 'primary'}>
          Join Regular Waitlist
        </ButtonLink>
        {isLeaving && (
          <Button variant="secondary" onClick={() => setIsLeaving(false)}>
            Stay
          </Button>
        )}
      </div>
    </>
  );
}

function landingPath(code: string | undefined): string {
  const query = new URLSearchParams(location.search);
  if (code !== undefined) query.set('ref', code);
  const search = String(query);
  return pagePaths.landing + (search && `?${search}`);
}
