import { pagePaths } from '../../../contract/paths.ts';
import { MailPage, place } from './mail-page.tsx';
import { UnlitNotice } from './unlit-notice.tsx';

const home = { label: 'Return to Waitlist', href: pagePaths.landing() };

/** Also of a member who has left: an old link says no more than a wrong one. */
export function LinkUnknownPage() {
  return (
    <MailPage>
      <UnlitNotice
        title="This link leads nowhere"
        text="It may have been cut off, or its owner has left the line. Join with your address, and we mail you a new one."
        link={home}
      />
    </MailPage>
  );
}

/** What a form was answered when the server turned it down. */
export function LinkTroublePage() {
  return (
    <MailPage>
      <UnlitNotice title="That did not work" text={place('detail')} link={home} />
    </MailPage>
  );
}
