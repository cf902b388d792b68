import { useEffect, useState } from 'react';
import { toasts } from '../../../toasts.ts';
import { toastStore } from '../../../ui/toast/toast-store.ts';
import { useAsyncEffect } from '../../../use-async-effect.ts';
import { loadStatus, type MemberStatus, mergeStatus } from './load-status.ts';

const REFRESH_MS = 30_000;

/** The member's status: loaded at once, then refreshed while the page is visible. */
export function useMemberStatus(memberId: string): { status: MemberStatus; retry: () => void } {
  const [status, setStatus] = useState<MemberStatus>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const isLoaded = status.state === 'loaded';

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again.
  useAsyncEffect(
    async (signal) => {
      const fresh = await loadStatus(memberId, signal).catch(ignoreAbort);
      if (!fresh) return;
      if (fresh.state === 'failed') toastStore.show(toasts.loadFailed);
      setStatus(fresh);
    },
    [memberId, attempt],
  );

  useEffect(() => {
    if (!isLoaded) return;
    const cleanUp = new AbortController();
    const { signal } = cleanUp;
    function refresh(): void {
      if (document.visibilityState === 'hidden') return;
      loadStatus(memberId, signal).then(
        (fresh) => setStatus((shown) => mergeStatus(shown, fresh)),
        ignoreAbort,
      );
    }
    const timer = setInterval(refresh, REFRESH_MS);
    addEventListener('focus', refresh, { signal });
    document.addEventListener('visibilitychange', refresh, { signal });
    return () => {
      clearInterval(timer);
      cleanUp.abort();
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
