import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { DotArt } from '../../ui/dot-art.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** Stands in for what the server fills in. */
export const place = (name: string) => `stand-in-${name}`;

/** A page that runs no script: its header offers nothing that would need one. */
export function MailPage({ children }: { children: ReactNode }) {
  return (
    <div className="page">
      <PageHeader name={brand.name} homePath={pagePaths.landing()} />
      <main>{children}</main>
    </div>
  );
}

type MemberPageProps = {
  readonly title: string;
  /** Their face without its charge: not confirmed yet, or about to go. */
  readonly isUnlit?: boolean;
  readonly children: ReactNode;
};

/** The same, of a member: their face, drawn by the server from their code, and who they are. */
export function MemberPage({ title, isUnlit = false, children }: MemberPageProps) {
  return (
    <MailPage>
      <div className="mail-page">
        <div className={`mail-page-face ${isUnlit ? 'face-unlit' : ''}`}>
          <DotArt id="ghost" draw={() => place('ghost')} />
        </div>
        <div className="mail-page-text">
          <h1>{title}</h1>
          <p className="quiet">
            {brand.specified.memberName} #{place('position')} in line
            <br />
            {place('email')}
          </p>
          {children}
        </div>
      </div>
    </MailPage>
  );
}
