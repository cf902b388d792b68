import { startTransition, useEffect, useState } from 'react';
import { toasts } from '../../../toasts.ts';
import { toastStore } from '../../../ui/toast/toast-store.ts';
import { useAsyncEffect } from '../../../use-async-effect.ts';
import { followStatus } from './follow-status.ts';
import { hasFailedCall, loadStatus, type MemberStatus, mergeStatus } from './load-status.ts';

const REFRESH_MS = 30_000;

/** The member's status: loaded at once, followed and refreshed while the page is visible. */
export function useMemberStatus(memberId: string): { status: MemberStatus; retry: () => void } {
  const [status, setStatus] = useState<MemberStatus>({ state: 'loading' });
  const [attempt, setAttempt] = useState(0);
  const isLoaded = status.state === 'loaded';

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again.
  useAsyncEffect(
    async (signal) => {
      const fresh = await loadStatus(memberId, signal).catch(ignoreAbort);
      if (!fresh) return;
      if (hasFailedCall(fresh)) toastStore.show(toasts.loadFailed);
      startTransition(() => setStatus(fresh));
    },
    [memberId, attempt],
  );

  useEffect(() => {
    if (!isLoaded) return;
    /** The one refresh under way, so that no older answer follows a newer one. */
    let current: AbortController | null = null;

    function stop(): void {
      current?.abort();
      current = null;
    }

    async function refresh(): Promise<void> {
      // By the time the page is seen again, the answer would be old.
      if (document.visibilityState === 'hidden') return stop();
      // A tab that is shown again says so twice: it is visible, and it has the focus.
      if (current) return;
      const mine = new AbortController();
      current = mine;
      const fresh = await loadStatus(memberId, mine.signal).catch(ignoreAbort);
      if (current !== mine) return;
      current = null;
      if (fresh) show(fresh);
    }

    function show(fresh: MemberStatus): void {
      setStatus((shown) => mergeStatus(shown, fresh));
    }

    const stopFollowing = followStatus(memberId, (member) => {
      stop(); // A refresh that began before would show the member as they were.
      show({ state: 'loaded', member, stats: null, drop: undefined });
    });
    const timer = setInterval(refresh, REFRESH_MS);
    addEventListener('focus', refresh);
    // The link of an offer, opened in the tab of the page.
    addEventListener('hashchange', refresh);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      stop();
      stopFollowing();
      clearInterval(timer);
      removeEventListener('focus', refresh);
      removeEventListener('hashchange', refresh);
      document.removeEventListener('visibilitychange', refresh);
    };
  }, [memberId, isLoaded]);

  function retry(): void {
    setStatus({ state: 'loading' });
    setAttempt((count) => count + 1);
  }

  return { status, retry };
}

/** The page was left or hidden: nobody waits for this answer. */
function ignoreAbort(): void {}
