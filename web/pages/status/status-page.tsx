import './status-cards.css';
import './status.css';
import { startTransition, useEffect, useRef, useState } from 'react';
import { PLAIN_QUERY } from '../../../contract/paths.ts';
import { endMissingCode, reportMissingCode } from '../../missing-code.ts';
import type { PageProps } from '../../prerendered-state.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SitePage } from '../parts/site-page.tsx';
import { useOwnFace } from './ghost-card.tsx';
import { type LateParts, LoadFailed, MemberNotFound, MemberView } from './member-view.tsx';
import { useMemberStatus } from './use-member-status.ts';

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
    <SitePage>
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
  );
}

function useLateParts(attempt: unknown): LateParts | null {
  const [parts, setParts] = useState<LateParts | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: offline, a later attempt may succeed.
  useEffect(() => {
    if (parts) return;
    import('./late-parts.tsx').then((loaded) => {
      endMissingCode();
      startTransition(() => setParts(loaded));
    }, reportMissingCode);
  }, [attempt, parts]);

  return parts;
}
