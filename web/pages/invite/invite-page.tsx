import './invite.css';
import { ghostSvg } from '../../../brand/art/ghost.ts';
import type { PageProps } from '../../page-modules.ts';
import { DotArt } from '../../ui/dot-art.tsx';
import { JoinForm } from '../parts/join-form.tsx';
import { SiteFooter } from '../parts/site-footer.tsx';
import { SiteHeader } from '../parts/site-header.tsx';
import { InvalidInvite } from './invalid-invite.tsx';
import { useInvite } from './use-invite.ts';
import { ACCEPT, ValidInvite } from './valid-invite.tsx';

/** The invite page is always served, so the browser never draws this ghost. */
const drawGhost = import.meta.env.SSR ? ghostSvg : () => '';

/** SPEC 2, '/invite/{referralCode}': served while verifying, with the inviter's ghost, which needs only the code. */
export function InvitePage({ param, served }: PageProps) {
  const invite = useInvite(param);
  return (
    <div className="page">
      <SiteHeader />
      <main>
        <div className="invite">
          <div className={`invite-face ${invite.state === 'valid' ? '' : 'face-unlit'}`}>
            <DotArt id="ghost" draw={() => drawGhost(param)} />
          </div>
          <div className="invite-text">
            {invite.state === 'verifying' && (
              <>
                <div role="status">
                  <h1 className="invite-title invite-verifying">Verifying invite...</h1>
                </div>
                <noscript>
                  <JoinForm page="invite" referredBy={null} served={served} submitLabel={ACCEPT} />
                </noscript>
              </>
            )}
            {invite.state === 'valid' && (
              <ValidInvite inviterEmail={invite.inviterEmail} referral={param} served={served} />
            )}
            {invite.state === 'invalid' && <InvalidInvite reason={invite.reason} />}
          </div>
        </div>
      </main>
      <SiteFooter />
    </div>
  );
}
