/** Calls that say what a change would do, make it and undo it, and the log of them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  AuditPage,
  ChangePreview,
  ChangeRequest,
  Joining,
  MadeChange,
  WantedChange,
} from '../../contract/operator/changes.ts';
import { fillPath, operatorPaths } from '../../contract/operator/paths.ts';
import { request } from './request.ts';

/** Of many members at once. */
const SLOW_MS = 60_000;

/** null while the wanted change is incomplete: the caller then requests nothing. */
export const previewQuery = (want: WantedChange | null) =>
  queryOptions({
    queryKey: ['changes', 'preview', want],
    queryFn: ({ signal }) =>
      request<ChangePreview>({
        path: operatorPaths.previewChange,
        method: 'POST',
        body: want,
        signal,
        timeoutMs: SLOW_MS,
      }),
    // Another operator may act at any time.
    staleTime: 0,
    gcTime: 0,
  });

export function makeChange(body: ChangeRequest): Promise<MadeChange> {
  return request<MadeChange>({
    path: operatorPaths.changes,
    method: 'POST',
    body,
    timeoutMs: SLOW_MS,
  });
}

export function undoChange(change: number, reason: string): Promise<MadeChange> {
  return request<MadeChange>({
    path: fillPath(operatorPaths.undoChange, String(change)),
    method: 'POST',
    body: { reason },
    timeoutMs: SLOW_MS,
  });
}

/** Newest first, page after page. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ['changes', 'log'],
  queryFn: ({ pageParam, signal }) =>
    request<AuditPage>({
      path: operatorPaths.changes + (pageParam === null ? '' : `?before=${pageParam}`),
      signal,
    }),
  initialPageParam: null as number | null,
  getNextPageParam: ({ next }) => next,
});

export const joiningQuery = queryOptions({
  queryKey: ['joining'],
  queryFn: ({ signal }) => request<Joining>({ path: operatorPaths.joining, signal }),
});
