import { ghostSvg } from '../../../brand/art/ghost.ts';
import type { PageProps } from '../../page-modules.ts';

export function InvitePage({ param, served }: PageProps) {
  return (
    <main>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing */}
      <div dangerouslySetInnerHTML={{ __html: ghostSvg(param) }} />
      <h1>Verifying invite...</h1>
      <noscript>
        <form method="post" noValidate>
          <input type="hidden" name="referred_by" defaultValue={served.referral} />
          <input type="email" name="email" defaultValue={served.formValue} />
          <p data-form-message="">{served.formMessage}</p>
          <button type="submit">Accept Invite & Join</button>
        </form>
      </noscript>
    </main>
  );
}
