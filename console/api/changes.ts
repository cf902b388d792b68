/** Calls that say what a change would do, and make it. */
import { queryOptions } from '@tanstack/react-query';
import type {
  ChangePreview,
  ChangeRequest,
  MadeChange,
  WantedChange,
} from '../../contract/operator/changes.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { request } from './request.ts';

/** Of many members at once. */
const SLOW_MS = 60_000;

/** null: not yet known what is wanted, so nothing is asked. */
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
    enabled: want !== null,
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
