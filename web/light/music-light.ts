import envelope from '../../brand/media/soundtrack-envelope.json';
import type { Music } from '../browser/music.ts';

const FADE_MS = 1100;
const SOFTEST = 0.1;
const LOUDEST = 0.6;

/** The loudness is known in advance, so a browser animation plays the light without script. */
export function lightByMusic(
  art: HTMLElement,
  music: Pick<Music, 'elapsedSeconds' | 'subscribe'>,
  signal: AbortSignal,
): void {
  const light = document.createElement('div');
  light.className = 'music-light';
  const glow = light.appendChild(document.createElement('div'));
  (art.querySelector('.art-light') ?? art).append(light);
  const levels = [...envelope.levels].map((level) => ({
    opacity: SOFTEST + ((LOUDEST - SOFTEST) * Number(level)) / 9,
  }));
  // The music is a loop, so its light ends where it began.
  const playing = glow.animate([...levels, levels[0] ?? {}], {
    duration: levels.length * envelope.stepSeconds * 1000,
    iterations: Number.POSITIVE_INFINITY,
  });
  const synchronise = () => {
    playing.currentTime = music.elapsedSeconds() * 1000;
  };
  synchronise();
  const unsubscribe = music.subscribe(synchronise);
  light.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE_MS, easing: 'ease-out' });
  signal.addEventListener('abort', () => {
    unsubscribe();
    playing.cancel();
    light.remove();
  });
}
