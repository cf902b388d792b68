import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { FooterLinks } from './footer-links.tsx';

/** Stands in for what the server fills in. */
export const placeholder = (name: string) => `stand-in-${name}`;

/** Its header has nothing that needs a script. */
export function PageWithoutScript({ children }: { children: ReactNode }) {
  return (
    <div className="page">
      <PageHeader name={brand.name} homePath={pagePaths.landing()} />
      <main>{children}</main>
      <footer className="page-footer">
        <FooterLinks {...brand.links} />
      </footer>
    </div>
  );
}
