/** Whoever is at the console. */
import { queryOptions } from '@tanstack/react-query';
import type { Me as Caller } from '../../contract/operator/access.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { request } from './request.ts';
import { hasStatus } from './request-error.ts';

export type Me = Caller;

export const meKey = ['me'];

/** Whose screen it is: the same after another sign-in. */
export function operatorOf({ kind, session }: Me): string {
  return session?.operator.id ?? kind;
}

/** null: nobody is signed in. */
export async function readMe(signal?: AbortSignal): Promise<Me | null> {
  try {
    return await request<Me>({ path: operatorPaths.me, ...(signal && { signal }) });
  } catch (error) {
    if (hasStatus(error, 401)) return null;
    throw error;
  }
}

export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: ({ signal }) => readMe(signal),
  staleTime: 60_000,
  // A link of a mail signs in within another tab: this one then goes on.
  refetchOnWindowFocus: ({ state }) => (state.data === null ? 'always' : true),
});
