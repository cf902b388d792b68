import './invite.css';
import { ghostSvg } from '../../../brand/art/ghost.ts';
import { brand } from '../../../brand/brand.ts';
import { PLAIN_QUERY } from '../../../contract/paths.ts';
import type { PageProps } from '../../prerendered-state.ts';
import { InlineArt } from '../../ui/inline-art.tsx';
import { SitePage } from '../parts/site-page.tsx';
import { InvalidInvite } from './invalid-invite.tsx';
import { useInvite } from './use-invite.ts';
import { ValidInvite } from './valid-invite.tsx';

/** The invite page is always served with its ghost, so the browser need not know how to draw it. */
const drawGhost = import.meta.env.SSR ? ghostSvg : () => '';

/** docs/behaviour.md 2.3. Served while verifying, with the inviter's ghost. */
export function InvitePage({ param, prerendered }: PageProps) {
  const { invite, retry } = useInvite(param);
  return (
    <SitePage referral={invite.state === 'invalid' ? null : param}>
      <main>
        <div className="invite">
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
          <div className="invite-text">
            {invite.state === 'verifying' && (
              <>
                <div role="status" className="needs-script">
                  <h1 className="invite-title invite-verifying">Verifying invite...</h1>
                </div>
                {/* Where the refresh in the head is not followed. */}
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
      </main>
    </SitePage>
  );
}
