import type { ReactNode } from 'react';
import { maskSvg } from '../../../brand/art/mask.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DotArt } from '../../ui/dot-art.tsx';

type UnlitNoticeProps = {
  readonly title: string;
  readonly text: string;
  readonly link?: { readonly label: string; readonly href: string };
  /** Another way out than the link. */
  readonly children?: ReactNode;
};

/** A page with nothing to show: the unlit mask, what happened in one calm line, and a way on. */
export function UnlitNotice({ title, text, link, children }: UnlitNoticeProps) {
  return (
    <div className="notice">
      <div className="notice-mask">
        <DotArt id="mask" draw={maskSvg} />
      </div>
      <div className="notice-text">
        <h1>{title}</h1>
        <p>{text}</p>
        <div className="notice-actions">
          {children}
          {link && <ButtonLink href={link.href}>{link.label}</ButtonLink>}
        </div>
      </div>
    </div>
  );
}
