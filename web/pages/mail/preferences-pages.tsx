import type { MailState } from '../../../contract/mail-pages.ts';
import { mailPagePaths, pagePaths } from '../../../contract/paths.ts';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { placeholder } from '../parts/page-without-script.tsx';
import { MailCard } from './mail-card.tsx';
import { MemberPage } from './mail-page.tsx';

export function PreferencesPage({ mail }: { mail: MailState }) {
  return (
    <MemberPage title="Mail and data">
      <MailCard state={mail} />
      <Card id="data" title="Your data">
        <p className="quiet">Everything we keep about you, in one file.</p>
        <form method="post" action={mailPagePaths.downloadData(placeholder('token'))}>
          <Button type="submit" variant="secondary">
            Download my data
          </Button>
        </form>
      </Card>
      <Card id="leave" title="Leave">
        <p className="quiet">
          Give up your place and erase everything about you. We ask you once more before that.
        </p>
        <ButtonLink variant="secondary" href={mailPagePaths.leave(placeholder('token'))}>
          Leave the line
        </ButtonLink>
      </Card>
    </MemberPage>
  );
}

/** An old link no longer opens the data, but still stops mail. */
export function PreferencesExpiredPage({ mail }: { mail: MailState }) {
  return (
    <MemberPage title="This link has expired" isUnlit>
      <p>
        It no longer opens your data. Join again with the same address, and we will mail you a new
        one, unless you have stopped our mail.
      </p>
      <ButtonLink href={pagePaths.landing()}>Return to Waitlist</ButtonLink>
      <MailCard state={mail} isExpired />
    </MemberPage>
  );
}
