import './invite.css';
import { startTransition, useState } from 'react';
import { ghostSvg } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import { PLAIN_QUERY } from '../../../contract/paths.ts';
import { verifyReferral } from '../../api/waitlist.ts';
import type { PageProps } from '../../prerendered-state.ts';
import { toasts } from '../../toasts.ts';
import { InlineArt } from '../../ui/inline-art.tsx';
import { type ToastMessage, toastStore } from '../../ui/toast/toast-store.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';
import { BelowForm } from '../parts/below-form.tsx';
import { SitePage } from '../parts/site-page.tsx';
import { InvalidInvite } from './invalid-invite.tsx';
import { ValidInvite } from './valid-invite.tsx';

/** The page is always served with its ghost, so the browser need not draw it. */
const drawGhost = import.meta.env.SSR ? ghostSvg : () => '';

/** docs/behaviour.md 2.3. Served while verifying, with the inviter's ghost. */
export function InvitePage({ param, prerendered }: PageProps) {
  const { invite, retry } = useInvite(param);
  return (
    <SitePage referral={invite.state === 'invalid' ? null : param}>
      <main>
        <div className="stack invite">
          <figure className={`invite-face ${invite.state === 'valid' ? '' : 'face-unlit'}`}>
            <InlineArt id="ghost" draw={() => drawGhost(param)} />
            <figcaption className="label">
              {invite.state === 'valid' && (
                <>
                  {brand.copy.inviterFaceTitle} <span className="invite-code">{param}</span>
                </>
              )}
            </figcaption>
          </figure>
          <div className="stack invite-text">
            {invite.state === 'verifying' && (
              <>
                <div role="status" className="needs-script">
                  <h1 className="invite-title invite-verifying">Verifying invite...</h1>
                </div>
                {/* Some browsers do not follow the refresh in the head. */}
                <noscript>
                  <a href={`?${PLAIN_QUERY}`}>See your invite without scripts</a>
                </noscript>
              </>
            )}
            {invite.state === 'valid' && (
              <ValidInvite
                inviterEmail={invite.inviterEmail}
                referral={param}
                prerendered={prerendered}
              />
            )}
            {invite.state === 'invalid' && <InvalidInvite reason={invite.reason} />}
            {invite.state === 'unverified' && (
              <InvalidInvite reason={invite.reason} unverified={param} onRetry={retry} />
            )}
          </div>
        </div>
        {invite.state === 'valid' && <BelowForm />}
      </main>
    </SitePage>
  );
}

type Invite =
  | { readonly state: 'verifying' }
  | { readonly state: 'valid'; readonly inviterEmail: string }
  /** Unverified: no answer, so the code may be valid. `reason` is the sentence for the visitor. */
  | { readonly state: 'invalid' | 'unverified'; readonly reason: string };

function useInvite(code: string): { invite: Invite; retry: () => void } {
  const [invite, setInvite] = useState<Invite>({ state: 'verifying' });
  const [attempt, setAttempt] = useState(1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt verifies again.
  useAsyncEffect(
    async (signal) => {
      function refuse(state: 'invalid' | 'unverified', toast: ToastMessage): void {
        toastStore.show(toast);
        setInvite({ state, reason: toast.description ?? '' });
      }
      try {
        const { valid, referrer_email } = await verifyReferral(code, { signal });
        if (valid)
          startTransition(() => setInvite({ state: 'valid', inviterEmail: referrer_email ?? '' }));
        else refuse('invalid', toasts.invalidInvite);
      } catch {
        if (!signal.aborted) refuse('unverified', toasts.verificationFailed);
      }
    },
    [code, attempt],
  );

  function retry(): void {
    setInvite({ state: 'verifying' });
    setAttempt(attempt + 1);
  }

  return { invite, retry };
}
