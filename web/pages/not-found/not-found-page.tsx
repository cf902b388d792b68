import { brand } from '../../../brand/brand.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { SitePage } from '../parts/site-page.tsx';

export function NotFoundPage() {
  return (
    <SitePage>
      <main>
        <EmptyState title={brand.copy.notFoundTitle} text={brand.copy.notFoundText} />
      </main>
    </SitePage>
  );
}
