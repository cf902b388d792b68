import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { EmptyState } from '../parts/empty-state.tsx';

/** SPEC 2: there is no such member. */
export function MemberNotFound() {
  return <EmptyState title={brand.specified.statusNotFound} text="Invalid or expired link." />;
}

/** SPEC 8: the status could not be loaded. `retry`: what loads it again. */
export function LoadFailed({ retry }: { retry: ReactNode }) {
  return (
    <EmptyState
      title="Error loading data"
      text="Please refresh the page or try again later."
      action={retry}
    />
  );
}
