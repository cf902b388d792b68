import type { LineWords } from '../../../brand/drop-words.ts';
import type { Member, Stats } from '../../../contract/schemas.ts';
import { ApiError } from '../../api/api-error.ts';
import { getStats, getStatus } from '../../api/waitlist.ts';
import type { DropSection } from './drop/drop-section.tsx';
import type { MemberDrop } from './drop/member-drop.ts';
import { noteMailLink } from './own-link.ts';

export type StatusDrop = {
  readonly Section: typeof DropSection;
  readonly drop: MemberDrop;
  readonly words: LineWords | null;
};

export type MemberStatus =
  | { readonly state: 'loading' | 'notFound' | 'failed' }
  | {
      readonly state: 'loaded';
      readonly member: Member;
      readonly stats: Stats | null;
      /** null while the drop is open, undefined when it could not be loaded. */
      readonly drop: StatusDrop | null | undefined;
    };

/** The member is shown without stats, too. Rejects only on abort. */
export async function loadStatus(memberId: string, signal: AbortSignal): Promise<MemberStatus> {
  // An opened link of an offer is shown in every state of the drop.
  const hasOfferLink = noteMailLink();
  try {
    const [member, stats] = await Promise.all([
      getStatus(memberId, { signal }),
      getStats({ signal }).catch(() => null),
    ]);
    const drop =
      stats?.drop !== undefined || hasOfferLink ? await loadDrop(memberId, signal) : null;
    signal.throwIfAborted();
    return { state: 'loaded', member, stats, drop };
  } catch (error) {
    signal.throwIfAborted();
    return { state: error instanceof ApiError && error.status === 404 ? 'notFound' : 'failed' };
  }
}

async function loadDrop(memberId: string, signal: AbortSignal): Promise<StatusDrop | undefined> {
  try {
    const loaded = await import('./drop/drop-section.tsx');
    const drop = await loaded.loadStyledDrop(memberId, signal);
    const words = loaded.describeLine(drop);
    return { Section: loaded.DropSection, drop, words };
  } catch {
    return undefined;
  }
}

export function hasFailedCall(status: MemberStatus): boolean {
  if (status.state !== 'loaded') return status.state === 'failed';
  return status.stats === null || status.drop === undefined;
}

export function mergeStatus(shown: MemberStatus, fresh: MemberStatus): MemberStatus {
  if (shown.state !== 'loaded') return fresh;
  if (fresh.state === 'failed') return shown;
  if (fresh.state !== 'loaded') return fresh;
  // Whether there is a drop is unknown without the stats.
  const drop = fresh.drop === undefined || fresh.stats === null ? shown.drop : fresh.drop;
  return { ...fresh, stats: fresh.stats ?? shown.stats, drop };
}
