import { mailPagePaths, ownStatusPath } from '../../../contract/paths.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';
import { MemberPage } from './mail-page.tsx';

/** Asks first: mail scanners open every link of a mail, and must not confirm by that. */
export function ConfirmPage() {
  return (
    <MemberPage title="Confirm your place" isUnlit>
      <p>
        Press the button to confirm that this address is yours. Not you? Close the page, and nothing
        changes.
      </p>
      <form method="post" action={mailPagePaths.confirm(placeholder('token'))}>
        <Button type="submit">Confirm my place</Button>
      </form>
    </MemberPage>
  );
}

export function ConfirmedPage() {
  return (
    <MemberPage title="Your place is confirmed">
      <p>Your page shows where you stand, and holds the link that moves you up.</p>
      <ButtonLink href={ownStatusPath(placeholder('member-id'))}>Open my page</ButtonLink>
    </MemberPage>
  );
}

export function ConfirmExpiredPage() {
  return (
    <PageWithoutScript>
      <EmptyState
        title="This link has expired"
        text="Your place is safe. Join again with the same address for a new link."
      />
    </PageWithoutScript>
  );
}
