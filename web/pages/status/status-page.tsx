import './status.css';
import { useRef } from 'react';
import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import type { PageProps } from '../../page-modules.ts';
import { Button } from '../../ui/button.tsx';
import { SiteFooter } from '../parts/site-footer.tsx';
import { SiteHeader } from '../parts/site-header.tsx';
import { UnlitNotice } from '../parts/unlit-notice.tsx';
import { LoadingView } from './loading-view.tsx';
import { MemberView } from './member-view.tsx';
import { useMemberStatus } from './refresh/use-member-status.ts';

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
        {status.state === 'notFound' && (
          <UnlitNotice
            title={brand.specified.statusNotFound}
            text="Invalid or expired link."
            link={{ label: 'Return to Waitlist', href: pagePaths.landing() }}
          />
        )}
        {status.state === 'failed' && (
          <UnlitNotice title="Error loading data" text="Please refresh the page or try again later.">
            <Button onClick={retryFromTop}>Retry</Button>
          </UnlitNotice>
        )}
      </main>
      <noscript>
        <p className="notice">Your place in line is fetched by a script: allow scripts for this site to see it.</p>
      </noscript>
      <SiteFooter />
    </div>
  );
}
