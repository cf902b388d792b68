import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { useQuietMode } from '../../browser/quiet-mode.ts';
import { useMusic } from '../../browser/use-music.ts';
import { landingPath, useReferralCode } from '../../browser/use-referral-code.ts';
import { LateDropNews } from '../../countdown/late-drop-news.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FooterLinks } from './footer-links.tsx';

type SitePageProps = {
  readonly className?: string;
  readonly isMusicTried?: boolean;
  /** The code in the link home; by default the code of the URL. */
  readonly referral?: string | null;
  readonly action?: ReactNode;
  readonly children: ReactNode;
};

export function SitePage({
  className = '',
  isMusicTried = false,
  referral,
  action,
  children,
}: SitePageProps) {
  const codeOfUrl = useReferralCode();
  return (
    <div className={`page ${className}`}>
      <PageHeader name={brand.name} homePath={landingPath(referral ?? codeOfUrl)}>
        {action}
        <MusicToggle isTried={isMusicTried} />
      </PageHeader>
      <LateDropNews />
      {children}
      <footer className="page-footer">
        <QuietToggle />
        <p className="label needs-script">No glow, no motion</p>
        <FooterLinks {...brand.links} />
      </footer>
    </div>
  );
}

function MusicToggle({ isTried }: { readonly isTried: boolean }) {
  const { isOn, toggle } = useMusic({ isTried });

  /** Music and a film never play together. A film that starts stops the music by itself. */
  function press(): void {
    if (!isOn) for (const film of document.querySelectorAll('video')) film.pause();
    toggle();
  }

  return (
    <button
      type="button"
      className="pill needs-script"
      aria-pressed={isOn}
      onClick={press}
      data-music-toggle
    >
      <span className="music-bars" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      Music
    </button>
  );
}

function QuietToggle() {
  const { state, toggle } = useQuietMode();
  // The visitor's system asks, so there is nothing to toggle.
  if (state === 'asked') return <p className="label">Quiet mode is on, as your system asks</p>;
  return (
    <button
      type="button"
      className="pill quiet-toggle needs-script"
      aria-pressed={state === 'chosen'}
      onClick={toggle}
    >
      <i className="quiet-dot" aria-hidden="true" />
      Quiet mode
    </button>
  );
}
