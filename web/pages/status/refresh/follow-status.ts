import { apiPaths } from '../../../../contract/paths.ts';
import type { Member } from '../../../../contract/schemas.ts';
import { isMember } from '../../../api/answer-shapes.ts';
import { isSavingData } from '../../../browser/saving-data.ts';

/** What is on the page comes first. */
const BEGIN_AFTER_MS = 1_000;

/**
 * Calls `onMember` with the member's status soon after each of their moves, while the page is
 * visible. Without a stream nothing happens, and the page goes on with its own refresh. Returns a
 * function that ends this.
 */
export function followStatus(memberId: string, onMember: (member: Member) => void): () => void {
  let source: EventSource | null = null;
  let timer = 0;

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function begin(): void {
    close();
    if (document.visibilityState === 'hidden' || isSavingData()) return;
    timer = window.setTimeout(open, BEGIN_AFTER_MS);
  }

  function open(): void {
    source = new EventSource(apiPaths.live(memberId));
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const member: unknown = JSON.parse(data);
      if (isMember(member)) onMember(member);
    };
    source.addEventListener('gone', close);
  }

  begin();
  document.addEventListener('visibilitychange', begin);
  return () => {
    document.removeEventListener('visibilitychange', begin);
    close();
  };
}
