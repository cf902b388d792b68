import { mailPagePaths } from '../../../contract/paths.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';
import { MemberPage } from './mail-page.tsx';

export function LeavePage() {
  return (
    <MemberPage title="Leave the line?" isUnlit>
      <ul className="mail-page-list">
        <li>The member behind you takes your place.</li>
        <li>Your invite link and your rewards end.</li>
        <li>Friends you invited keep their places. Whoever invited you loses that credit.</li>
        <li>
          Everything we keep about you is erased. If you stopped our mail, we keep a fingerprint of
          your address, so that nobody can turn it on again. The address cannot be read from it.
        </li>
      </ul>
      <p>This cannot be undone. You may join again, at the end of the line.</p>
      <div className="mail-page-actions">
        <ButtonLink href={mailPagePaths.preferences(placeholder('token'))}>
          Keep my place
        </ButtonLink>
        <form method="post" action={mailPagePaths.leave(placeholder('token'))}>
          <Button type="submit" variant="secondary" className="button-erase">
            Leave and erase me
          </Button>
        </form>
      </div>
    </MemberPage>
  );
}

export function LeftPage() {
  return (
    <PageWithoutScript>
      <EmptyState
        title="You have left the line"
        text="Everything about you is erased. Thank you for waiting with us."
      />
    </PageWithoutScript>
  );
}
