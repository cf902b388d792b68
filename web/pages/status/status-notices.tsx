import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { EmptyState } from '../parts/empty-state.tsx';

export function MemberNotFound() {
  return <EmptyState title={brand.specified.statusNotFound} text="Invalid or expired link." />;
}

/** `retry`: a button that loads the status again. */
export function LoadFailed({ retry }: { retry: ReactNode }) {
  return (
    <EmptyState
      title="Error loading data"
      text="Please refresh the page or try again later."
      action={retry}
    />
  );
}
