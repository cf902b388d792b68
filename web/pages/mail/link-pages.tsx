import { EmptyState } from '../parts/empty-state.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';

/** The same for a member who has left, so that an old link reveals no more than a wrong one. */
export function LinkUnknownPage() {
  return (
    <PageWithoutScript>
      <EmptyState
        title="This link leads nowhere"
        text={
          'It may have been cut off, or its owner has left the line. ' +
          'Join with your address, and we will mail you a new one.'
        }
      />
    </PageWithoutScript>
  );
}

/** The answer to a form that the server refused. */
export function LinkTroublePage() {
  return (
    <PageWithoutScript>
      <EmptyState title="That did not work" text={placeholder('detail')} />
    </PageWithoutScript>
  );
}
