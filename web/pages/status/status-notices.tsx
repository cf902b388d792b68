import { brand } from '../../../brand/brand.ts';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';

/** SPEC 2: there is no such member. */
export function MemberNotFound() {
  return <EmptyState title={brand.specified.statusNotFound} text="Invalid or expired link." />;
}

/** SPEC 8: the status could not be loaded. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <EmptyState
      title="Error loading data"
      text="Please refresh the page or try again later."
      action={<Button onClick={onRetry}>Retry</Button>}
    />
  );
}
