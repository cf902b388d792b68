import './status-cards.css';
import './status.css';
import { useRef } from 'react';
import { PLAIN_QUERY } from '../../../contract/paths.ts';
import type { PageProps } from '../../prerendered-state.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SitePage } from '../parts/site-page.tsx';
import { useLateParts } from './late/use-late-parts.ts';
import { MemberView } from './member-view.tsx';
import { useMemberStatus } from './refresh/use-member-status.ts';
import { LoadFailed, MemberNotFound } from './status-notices.tsx';
import { useOwnFace } from './use-own-face.ts';

/** docs/behaviour.md 2.2. Served in its loading state. */
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
      {/* Where the refresh in the head is not followed. */}
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
