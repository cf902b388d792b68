import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { InlineArt } from '../../ui/inline-art.tsx';
import { PageWithoutScript, placeholder } from '../parts/page-without-script.tsx';

type MemberPageProps = {
  readonly title: string;
  /** Shows the face without its charge: not confirmed, or about to leave. */
  readonly isUnlit?: boolean;
  readonly children: ReactNode;
};

export function MemberPage({ title, isUnlit = false, children }: MemberPageProps) {
  return (
    <PageWithoutScript>
      <div className="stack mail-page">
        <div className={`mail-page-face ${isUnlit ? 'face-unlit' : ''}`}>
          <InlineArt id="ghost" draw={() => placeholder('ghost')} />
        </div>
        <div className="stack mail-page-text">
          <h1>{title}</h1>
          <p className="quiet">
            {brand.specified.memberName} #{placeholder('position')} in line
            <br />
            {placeholder('email')}
          </p>
          {children}
        </div>
      </div>
    </PageWithoutScript>
  );
}
