import './status.css';
import { useRef } from 'react';
import type { PageProps } from '../../page-modules.ts';
import { SiteFooter } from '../parts/site-footer.tsx';
import { SiteHeader } from '../parts/site-header.tsx';
import { LoadingView } from './loading-view.tsx';
import { MemberView } from './member-view.tsx';
import { useMemberStatus } from './refresh/use-member-status.ts';
import { LoadFailed, MemberNotFound } from './status-notices.tsx';

/** SPEC 2, '/thank-you/{userId}': served while loading, then filled by the two calls. */
export function StatusPage({ param }: PageProps) {
  const { status, retry } = useMemberStatus(param);
  const main = useRef<HTMLElement>(null);

  /** The button that has the focus goes away with the message it belongs to. */
  function retryFromTop(): void {
    main.current?.focus();
    retry();
  }

  return (
    <div className="page">
      <SiteHeader />
      <main ref={main} tabIndex={-1}>
        {status.state === 'loading' && <LoadingView memberId={param} />}
        {status.state === 'loaded' && <MemberView member={status.member} stats={status.stats} />}
        {status.state === 'notFound' && <MemberNotFound />}
        {status.state === 'failed' && <LoadFailed onRetry={retryFromTop} />}
      </main>
      <noscript>
        <p className="notice">Your place in line is fetched by a script: allow scripts for this site to see it.</p>
      </noscript>
      <SiteFooter />
    </div>
  );
}
