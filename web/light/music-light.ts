/** The picture takes on the charge of the music while it plays. Fetched with the first music, not with the page. */
import envelope from '../../brand/media/soundtrack-envelope.json';
import type { Music } from '../browser/music.ts';

const FADE_MS = 1100;
/** How much of the charge colour there is in silence and at the loudest. */
const SOFTEST = 0.1;
const LOUDEST = 0.6;

/**
 * Lays the light over `art` until the returned function is called. The loudness is known beforehand, so the browser's own
 * animation plays it, without a frame of script.
 */
export function lightByMusic(art: HTMLElement, music: Pick<Music, 'elapsedSeconds' | 'subscribe'>): () => void {
  const light = document.createElement('div');
  light.className = 'music-light';
  const glow = light.appendChild(document.createElement('div'));
  art.append(light);
  const levels = [...envelope.levels].map((level) => ({
    opacity: SOFTEST + ((LOUDEST - SOFTEST) * Number(level)) / 9,
  }));
  // A loop: it ends where it began.
  const playing = glow.animate([...levels, levels[0] ?? {}], {
    duration: levels.length * envelope.stepSeconds * 1000,
    iterations: Number.POSITIVE_INFINITY,
  });
  const follow = () => {
    playing.currentTime = music.elapsedSeconds() * 1000;
  };
  follow();
  const unsubscribe = music.subscribe(follow);
  light.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE_MS, easing: 'ease-out' });
  return () => {
    unsubscribe();
    playing.cancel();
    light.remove();
  };
}
