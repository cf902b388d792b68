import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { useMusic } from '../../browser/use-music.ts';
import { MusicToggle } from '../../ui/music-toggle.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

type SiteHeaderProps = {
  /** SPEC 9: the page tries to play the music by itself. */
  readonly isMusicTried?: boolean;
  /** Stands before the music. */
  readonly children?: ReactNode;
};

/** The header of every page. */
export function SiteHeader({ isMusicTried = false, children }: SiteHeaderProps) {
  const music = useMusic({ isTried: isMusicTried });

  /** Music and a film are never heard together. A film that starts silences the music by itself. */
  function toggle(): void {
    if (!music.isOn) for (const film of document.querySelectorAll('video')) film.pause();
    music.toggle();
  }

  return (
    <PageHeader name={brand.name} homePath={pagePaths.landing()}>
      {children}
      <MusicToggle isPlaying={music.isOn} onToggle={toggle} />
    </PageHeader>
  );
}
