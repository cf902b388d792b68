import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { hasStatus, messageOf } from '../api/request-error.ts';
import { Button } from '../ui/controls/button.tsx';
import { Banner } from '../ui/data/banner.tsx';
import { EmptyFace, ErrorFace } from '../ui/data/faces.tsx';
import { Skeleton } from '../ui/data/skeleton.tsx';
import { RelativeTime } from '../ui/text/relative-time.tsx';

/** The face of a query that has no data: refused, or failed with a way to try again. */
export function errorFaceOf(query: UseQueryResult): ReactNode {
  if (!query.isLoadingError) return undefined;
  if (hasStatus(query.error, 403))
    return <EmptyFace title="Not for your role">{messageOf(query.error)}</EmptyFace>;
  return <ErrorFace message={messageOf(query.error)} onRetry={() => query.refetch()} />;
}

/** Says that what is shown is old because the last call failed; nothing while all is well. */
export function StaleNotice({ query }: { query: UseQueryResult }) {
  if (!query.isRefetchError) return null;
  return (
    <Banner
      tone="ember"
      action={
        <Button onClick={() => query.refetch()} isBusy={query.isFetching}>
          Retry
        </Button>
      }
    >
      Not up to date: {messageOf(query.error)} Shown is what was loaded{' '}
      <RelativeTime at={new Date(query.dataUpdatedAt).toISOString()} />.
    </Banner>
  );
}

/** The faces of everything that is not a table: skeleton, refusal, error, data. */
export function QueryFace<T>({
  query,
  lines = 3,
  children,
}: {
  query: UseQueryResult<T>;
  /** Of the skeleton. */
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  if (query.data === undefined) return errorFaceOf(query) ?? <Skeleton lines={lines} />;
  return (
    <>
      <StaleNotice query={query} />
      {children(query.data)}
    </>
  );
}
