import type { Member, Stats } from '../../../../contract/schemas.ts';
import { ApiError } from '../../../api/api-error.ts';
import { getStats, getStatus } from '../../../api/waitlist.ts';

export type MemberStatus =
  | { readonly state: 'loading' | 'notFound' | 'failed' }
  | { readonly state: 'loaded'; readonly member: Member; readonly stats: Stats | null };

/** Both calls in parallel. The member is shown without stats too. Rejects only on abort. */
export async function loadStatus(memberId: string, signal: AbortSignal): Promise<MemberStatus> {
  try {
    const [member, stats] = await Promise.all([
      getStatus(memberId, { signal }),
      getStats({ signal }).catch(() => null),
    ]);
    signal.throwIfAborted();
    return { state: 'loaded', member, stats };
  } catch (error) {
    signal.throwIfAborted();
    return { state: error instanceof ApiError && error.status === 404 ? 'notFound' : 'failed' };
  }
}

/** SPEC 8: either call counts. The member may still be shown. */
export function hasFailedCall(status: MemberStatus): boolean {
  return status.state === 'failed' || (status.state === 'loaded' && status.stats === null);
}

/** The status after a refresh: a failed call removes nothing from the page. */
export function mergeStatus(shown: MemberStatus, fresh: MemberStatus): MemberStatus {
  if (shown.state !== 'loaded') return fresh;
  if (fresh.state === 'failed') return shown;
  if (fresh.state === 'loaded' && fresh.stats === null) return { ...fresh, stats: shown.stats };
  return fresh;
}
