import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { meKey } from './access.ts';
import { hasStatus, isRefused, RequestError } from './request.ts';

/** Screens that show live numbers poll by themselves. */
const FRESH_MS = 15_000;
const MAX_RETRIES = 2;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 5_000;

export function createQueryClient(): QueryClient {
  const noticeSignOut = (error: Error) => {
    if (hasStatus(error, 401)) client.setQueryData(meKey, null);
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: noticeSignOut }),
    mutationCache: new MutationCache({ onError: noticeSignOut }),
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // An error that can be read is better than a call that waits for the network unseen.
        networkMode: 'always',
        retry: shouldRetry,
        retryDelay: delayBeforeRetry,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}

/** Retries transient failures: no answer, too busy, a server error. `failures` begins at 0. */
export function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= MAX_RETRIES || !(error instanceof RequestError)) return false;
  return !isRefused(error) && error.status !== 401;
}

export function delayBeforeRetry(failures: number, error: Error): number {
  const asked = error instanceof RequestError ? error.retryAfter : null;
  return Math.min(asked === null ? FIRST_RETRY_MS * 2 ** failures : asked * 1000, LONGEST_RETRY_MS);
}
