import './status.css';
import { useRef } from 'react';
import { PLAIN_QUERY } from '../../../contract/paths.ts';
import type { PageProps } from '../../prerendered-state.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SitePage } from '../parts/site-page.tsx';
import { LoadingView } from './loading-view.tsx';
import { MemberView } from './member-view.tsx';
import { useMemberStatus } from './refresh/use-member-status.ts';
import { LoadFailed, MemberNotFound } from './status-notices.tsx';

/** SPEC 2, '/thank-you/{userId}'. Served in its loading state. */
export function StatusPage({ param }: PageProps) {
  const { status, retry } = useMemberStatus(param);
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
      <main ref={main} tabIndex={-1}>
        {status.state === 'loading' && <LoadingView memberId={param} />}
        {status.state === 'loaded' && (
          <>
            {status.drop && <status.drop.Section member={status.member} drop={status.drop.drop} />}
            <MemberView member={status.member} stats={status.stats} />
          </>
        )}
        {status.state === 'notFound' && <MemberNotFound />}
        {status.state === 'failed' && (
          <LoadFailed retry={<Button onClick={retryFromTop}>Retry</Button>} />
        )}
      </main>
    </SitePage>
  );
}
