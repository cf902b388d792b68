import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { FooterLinks } from './footer-links.tsx';

/** A marker that the server replaces by a value. It has an end, because names begin alike. */
export const placeholder = (name: string) => `stand-in(${name})`;
export const PLACEHOLDER = /stand-in\(([^)]*)\)/g;

type PageWithoutScriptProps = { readonly homePath?: string; readonly children: ReactNode };

export function PageWithoutScript({
  homePath = pagePaths.landing,
  children,
}: PageWithoutScriptProps) {
  return (
    <div className="page">
      <PageHeader name={brand.name} homePath={homePath} />
      <main>{children}</main>
      <footer className="page-footer">
        <FooterLinks {...brand.links} />
      </footer>
    </div>
  );
}
