import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/me.ts';

/** Whether to offer what changes something. The server decides; this only spares a refusal. */
export function useMayWrite(): boolean {
  return useQuery(meQuery).data?.role === 'owner';
}
