import type { Member, Stats } from '../../../../contract/schemas.ts';
import { ApiError } from '../../../api/api-error.ts';
import { getStats, getStatus } from '../../../api/waitlist.ts';

export type MemberStatus =
  | { readonly state: 'loading' | 'notFound' | 'failed' }
  | { readonly state: 'loaded'; readonly member: Member; readonly stats: Stats | null };

/** Both calls at once. Without the stats the member is still worth showing; rejects only with the caller's abort. */
export async function loadStatus(memberId: string, signal: AbortSignal): Promise<MemberStatus> {
  try {
    const [member, stats] = await Promise.all([
      getStatus(memberId, { signal }),
      getStats({ signal }).catch(() => null),
    ]);
    return { state: 'loaded', member, stats };
  } catch (error) {
    signal.throwIfAborted();
    return { state: error instanceof ApiError && error.status === 404 ? 'notFound' : 'failed' };
  }
}

/** What a refresh leaves on the page: one that failed, or brought half of it, takes nothing away. */
export function mergeStatus(shown: MemberStatus, fresh: MemberStatus): MemberStatus {
  if (shown.state !== 'loaded') return fresh;
  if (fresh.state === 'failed') return shown;
  if (fresh.state === 'loaded' && fresh.stats === null) return { ...fresh, stats: shown.stats };
  return fresh;
}
