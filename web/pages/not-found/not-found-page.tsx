import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { SiteFooter } from '../parts/site-footer.tsx';
import { SiteHeader } from '../parts/site-header.tsx';
import { UnlitNotice } from '../parts/unlit-notice.tsx';

export function NotFoundPage() {
  return (
    <div className="page">
      <SiteHeader />
      <main>
        <UnlitNotice
          title={brand.copy.notFoundTitle}
          text={brand.copy.notFoundText}
          link={{ label: 'Return to Waitlist', href: pagePaths.landing() }}
        />
      </main>
      <SiteFooter />
    </div>
  );
}
