import { useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { pagePaths } from '../../../contract/paths.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';

/** SPEC 9 */
const REDIRECT_DELAY_MS = 3000;

/** Takes the focus to be announced, and redirects unless the visitor stays (WCAG 2.2.1). */
export function InvalidInvite({ reason }: { reason: string }) {
  const [isLeaving, setIsLeaving] = useState(true);
  const heading = useRef<HTMLHeadingElement>(null);
  // With its query, which tells where the visitor came from.
  const landing = pagePaths.landing() + location.search;

  useEffect(() => {
    if (!isLeaving) return;
    const leave = () => navigate(landing, { replace: true });
    const timer = setTimeout(leave, REDIRECT_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isLeaving, landing]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: staying removes the focused button.
  useEffect(() => heading.current?.focus(), [isLeaving]);

  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="invite-title">
        Invalid Invite
      </h1>
      <p>{reason}</p>
      <p className="quiet" role="status">
        {isLeaving ? 'Taking you to the waitlist in 3 seconds.' : 'You are staying on this page.'}
      </p>
      <div className="invite-actions">
        <ButtonLink href={landing}>Join Regular Waitlist</ButtonLink>
        {isLeaving && (
          <Button variant="secondary" onClick={() => setIsLeaving(false)}>
            Stay
          </Button>
        )}
      </div>
    </>
  );
}
