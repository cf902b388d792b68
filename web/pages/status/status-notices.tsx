import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { Button } from '../../ui/button.tsx';
import { UnlitNotice } from '../parts/unlit-notice.tsx';

/** SPEC 2: there is no such member. */
export function MemberNotFound() {
  return (
    <UnlitNotice
      title={brand.specified.statusNotFound}
      text="Invalid or expired link."
      link={{ label: 'Return to Waitlist', href: pagePaths.landing() }}
    />
  );
}

/** SPEC 8: the member's status could not be had. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <UnlitNotice title="Error loading data" text="Please refresh the page or try again later.">
      <Button onClick={onRetry}>Retry</Button>
    </UnlitNotice>
  );
}
