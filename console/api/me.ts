/** The person at the console. */
import { queryOptions } from '@tanstack/react-query';
import { request } from './request.ts';
import { hasStatus } from './request-error.ts';

/** Who is signed in; 401 for nobody. */
export const ME_PATH = '/operator/api/me';

export type Me = {
  readonly kind: 'operator' | 'api_key' | 'token' | 'system';
  readonly name: string;
  readonly role: 'owner' | 'viewer';
};

export const meKey = ['me'];

/** null: nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: meKey,
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return await request<Me>({ path: ME_PATH, signal });
    } catch (error) {
      if (hasStatus(error, 401)) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});
