import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/me.ts';

/** Whether to offer changes. The server decides; this only avoids a refusal. */
export function useMayWrite(): boolean {
  return useQuery(meQuery).data?.role === 'owner';
}
