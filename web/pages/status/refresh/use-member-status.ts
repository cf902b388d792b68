import { useEffect, useState } from 'react';
import { toasts } from '../../../toasts.ts';
import { toastStore } from '../../../ui/toast/toast-store.ts';
import { loadStatus, type MemberStatus, mergeStatus } from './load-status.ts';

const REFRESH_MS = 30_000;

/** The member's status: loaded at once, then kept fresh while the page is looked at. */
export function useMemberStatus(memberId: string): { status: MemberStatus; retry: () => void } {
  const [status, setStatus] = useState<MemberStatus>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const isLoaded = status.state === 'loaded';

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another load.
  useEffect(() => {
    const leaving = new AbortController();
    loadStatus(memberId, leaving.signal).then((fresh) => {
      if (fresh.state === 'failed') toastStore.show(toasts.loadFailed);
      setStatus(fresh);
    }, ignoreAbort);
    return () => leaving.abort();
  }, [memberId, attempt]);

  useEffect(() => {
    if (!isLoaded) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    function refresh(): void {
      if (document.visibilityState === 'hidden') return;
      loadStatus(memberId, signal).then((fresh) => setStatus((shown) => mergeStatus(shown, fresh)), ignoreAbort);
    }
    const timer = setInterval(refresh, REFRESH_MS);
    addEventListener('focus', refresh, { signal });
    document.addEventListener('visibilitychange', refresh, { signal });
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [memberId, isLoaded]);

  function retry(): void {
    setStatus({ state: 'loading' });
    setAttempt((count) => count + 1);
  }

  return { status, retry };
}

/** The page was left: nobody waits for this answer. */
function ignoreAbort(): void {}
