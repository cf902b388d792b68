import envelope from '../../brand/media/soundtrack-envelope.json';
import type { Music } from '../browser/music.ts';

const FADE_MS = 1100;
const SOFTEST = 0.1;
const LOUDEST = 0.6;

/** How much the music charges the mask now, from its loudness, which is known in advance. */
export function lightByMusic(music: Pick<Music, 'elapsedSeconds'>): () => number {
  const levels = [...envelope.levels].map(Number);
  const startMs = performance.now();
  return () => {
    const at = music.elapsedSeconds() / envelope.stepSeconds;
    const level = (step: number) => levels[step % levels.length] ?? 0;
    const before = level(Math.floor(at));
    const loudness = before + (level(Math.floor(at) + 1) - before) * (at % 1);
    const fade = Math.min(1, (performance.now() - startMs) / FADE_MS);
    return fade * (SOFTEST + ((LOUDEST - SOFTEST) * loudness) / 9);
  };
}
