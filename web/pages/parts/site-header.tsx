import type { ReactNode } from 'react';
import { brand } from '../../../brand/brand.ts';
import { pagePaths } from '../../../contract/paths.ts';
import { useMusic } from '../../browser/use-music.ts';
import { MusicToggle } from '../../ui/music-toggle.tsx';
import { PageHeader } from '../../ui/page-header.tsx';

/** The header of every page. `children` stand before the music. */
export function SiteHeader({ children }: { children?: ReactNode }) {
  const music = useMusic();

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
