import { useEffect, useRef } from 'react';
import { pagePaths } from '../../../contract/paths.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { useRedirect } from './use-redirect.ts';

/** SPEC 9 */
const REDIRECT_DELAY_MS = 3000;

/** Says so, takes the focus so that it is heard, and leads on by itself; "Stay" gives time to read (WCAG 2.2.1). */
export function InvalidInvite({ reason }: { reason: string }) {
  const { isLeaving, stay } = useRedirect(pagePaths.landing(), REDIRECT_DELAY_MS);
  const heading = useRef<HTMLHeadingElement>(null);

  // On arrival, and when the button that had the focus is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: leaving or staying is what it answers to.
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
        <ButtonLink href={pagePaths.landing()}>Join Regular Waitlist</ButtonLink>
        {isLeaving && (
          <Button variant="secondary" onClick={stay}>
            Stay
          </Button>
        )}
      </div>
    </>
  );
}
