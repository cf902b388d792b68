import './status.css';
import { useRef } from 'react';
import type { PageProps } from '../../prerendered-state.ts';
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
      <main ref={main} tabIndex={-1}>
        {status.state === 'loading' && <LoadingView memberId={param} />}
        {status.state === 'loaded' && <MemberView member={status.member} stats={status.stats} />}
        {status.state === 'notFound' && <MemberNotFound />}
        {status.state === 'failed' && <LoadFailed onRetry={retryFromTop} />}
      </main>
      <noscript>
        <p className="empty-state">
          Your place in line is fetched by a script: allow scripts for this site to see it.
        </p>
      </noscript>
    </SitePage>
  );
}
