import { startTransition, useEffect, useRef, useState } from 'react';
import { apiPaths, fillPath, mailPagePaths, PLAIN_QUERY } from '../../../contract/paths.ts';
import type { Member } from '../../../contract/schemas.ts';
import { isMember } from '../../api/answer-shapes.ts';
import type { ApiError } from '../../api/api-error.ts';
import { confirmAddress } from '../../api/waitlist.ts';
import { isSavingData } from '../../browser/saving-data.ts';
import { endMissingCode, MAX_SILENCE_MS, reportMissingCode } from '../../missing-code.ts';
import type { PageProps } from '../../prerendered-state.ts';
import printStyles from '../../styles/print.css?url';
import { toasts } from '../../toasts.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorBoundary } from '../../ui/error-boundary.tsx';
import { toastStore } from '../../ui/toast/toast-store.ts';
import { useAsyncEffect } from '../../use-async-effect.ts';
import { SitePage } from '../parts/site-page.tsx';
import { useOwnFace } from './ghost-card.tsx';
import { hasFailedCall, loadStatus, type MemberStatus, mergeStatus } from './load-status.ts';
import {
  BrokenStatus,
  type LateParts,
  LoadFailed,
  MemberNotFound,
  MemberView,
} from './member-view.tsx';
import { confirmToken } from './own-link.ts';

export function StatusPage({ param, prerendered }: PageProps) {
  const { status, retry } = useMemberStatus(param);
  const { code, isArriving } = useOwnFace(param, prerendered);
  const isShown = status.state === 'loading' || status.state === 'loaded';
  const member = status.state === 'loaded' ? status.member : null;
  const parts = useLateParts(member);
  const main = useRef<HTMLElement>(null);

  /** The focused button disappears with its message, so the focus moves first. */
  function retryFromTop(): void {
    main.current?.focus();
    retry();
  }

  return (
    <ErrorBoundary fallback={<BrokenStatus member={member} />}>
      <SitePage>
        <link rel="stylesheet" media="print" href={printStyles} />
        {/* Some browsers do not follow the refresh in the head. */}
        <noscript>
          <Banner tone="plain">
            <a href={`?${PLAIN_QUERY}`}>See your place without scripts</a>
          </Banner>
        </noscript>
        <main ref={main} tabIndex={-1} className={isArriving ? 'arriving' : ''}>
          {status.state === 'loaded' && status.drop && (
            <status.drop.Section member={status.member} drop={status.drop.drop} />
          )}
          {isShown && (
            <MemberView
              member={member}
              stats={status.state === 'loaded' ? status.stats : null}
              words={(status.state === 'loaded' && status.drop?.words) || null}
              code={member?.referral_code ?? code}
              parts={parts}
            />
          )}
          {status.state === 'notFound' && <MemberNotFound />}
          {status.state === 'failed' && (
            <LoadFailed retry={<Button onClick={retryFromTop}>Retry</Button>} />
          )}
        </main>
      </SitePage>
    </ErrorBoundary>
  );
}

function useLateParts(attempt: unknown): LateParts | null {
  const [parts, setParts] = useState<LateParts | null>(null);

  useEffect(() => {
    if (parts) return endMissingCode();
    const silence = setTimeout(reportMissingCode, MAX_SILENCE_MS);
    return () => clearTimeout(silence);
  }, [parts]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: offline, a later attempt may succeed.
  useEffect(() => {
    if (parts) return;
    const load = import('./late-parts.tsx').then(async (loaded) => {
      await loaded.loadLateStyles();
      startTransition(() => setParts(loaded));
    });
    load.catch(reportMissingCode);
  }, [attempt, parts]);

  return parts;
}

const USES = ['pointerdown', 'keydown'] as const;

/** Scanners of mail open links and run scripts; only a person presses something. */
function confirmOnUse(memberId: string, onConfirmed: () => void): () => void {
  let isBusy = false;

  async function confirm({ isTrusted }: Event): Promise<void> {
    const token = confirmToken.takeFor(memberId);
    if (!isTrusted || isBusy || token === null) return;
    isBusy = true;
    try {
      await confirmAddress(token);
      confirmToken.forgetFor(memberId);
      onConfirmed();
    } catch (error) {
      // The next press repeats the call after a lost connection.
      const { status } = error as ApiError;
      if (status === 403) confirmToken.forgetFor(memberId);
      if (status === 409) location.assign(fillPath(mailPagePaths.confirm, token));
    }
    isBusy = false;
  }

  confirmToken.takeFor(memberId); // It leaves the address, which people copy.
  for (const use of USES) addEventListener(use, confirm);
  return () => {
    for (const use of USES) removeEventListener(use, confirm);
  };
}

const REFRESH_MS = 30_000;

function useMemberStatus(memberId: string): { status: MemberStatus; retry: () => void } {
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
    /** The only refresh under way, so that no older answer follows a newer one. */
    let current: AbortController | null = null;

    function stop(): void {
      current?.abort();
      current = null;
    }

    async function refresh(): Promise<void> {
      // The answer would be old by the time the page is seen again.
      if (document.visibilityState === 'hidden') return stop();
      // A tab that is shown again sends two events: visibility and focus.
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

    const stopConfirming = confirmOnUse(memberId, refresh);
    const stopFollowing = followStatus(memberId, (member) => {
      stop(); // A refresh that began before would show the member as they were.
      show({ state: 'loaded', member, stats: null, drop: undefined });
    });
    const timer = setInterval(refresh, REFRESH_MS);
    addEventListener('focus', refresh);
    // The link of an offer may be opened in the tab of the page.
    addEventListener('hashchange', refresh);
    document.addEventListener('visibilitychange', refresh);
    return () => {
      stop();
      stopConfirming();
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

function ignoreAbort(): void {}

/** Delay of the stream, so that the page loads first. */
const BEGIN_AFTER_MS = 1_000;

function followStatus(memberId: string, onMember: (member: Member) => void): () => void {
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
    source = new EventSource(fillPath(apiPaths.live, memberId));
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
