import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { useQuietMode } from '../../browser/quiet-mode.ts';
import { useMusic } from '../../browser/use-music.ts';
import { landingPath, useReferralCode } from '../../browser/use-referral-code.ts';
import { LateDropNews } from '../../countdown/late-drop-news.tsx';
import { MusicToggle } from '../../ui/controls/music-toggle.tsx';
import { QuietToggle } from '../../ui/controls/quiet-toggle.tsx';
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
  const music = useMusic({ isTried: isMusicTried });
  const quiet = useQuietMode();
  const codeOfUrl = useReferralCode();

  /** Music and a film never play together. A film that starts stops the music by itself. */
  function toggleMusic(): void {
    if (!music.isOn) for (const film of document.querySelectorAll('video')) film.pause();
    music.toggle();
  }

  return (
    <div className={`page ${className}`}>
      <PageHeader name={brand.name} homePath={landingPath(referral ?? codeOfUrl)}>
        {action}
        <MusicToggle isPlaying={music.isOn} onToggle={toggleMusic} />
      </PageHeader>
      <LateDropNews />
      {children}
      <footer className="page-footer">
        <QuietToggle state={quiet.state} onToggle={quiet.toggle} />
        <p className="label needs-script">No glow, no motion</p>
        <FooterLinks {...brand.links} />
      </footer>
    </div>
  );
}
