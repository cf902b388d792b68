import type { Dot } from '../../../brand/art/halftone.ts';
import { MASK_BOUNDS, smoothStep } from '../../../brand/art/mask-shape.ts';
import { seedRandom } from '../../../brand/art/seeded-random.ts';
import { choosePaint } from '../../../brand/art/war-paint.ts';
import { BEAT_SECONDS } from '../soundtrack/score.ts';

/**
 * The film in beats of the soundtrack: dark, the eyes, a sweep of light, six faces (1.5 a second,
 * so nothing flashes above 3 Hz), then the name and ONLY 100 MASKS.
 */
const FILM_BEATS = 18;
export const FILM_SECONDS = FILM_BEATS * BEAT_SECONDS;
/** When the soundtrack's drums return. */
export const FACES_BEAT = 6;
const EYES_BEAT = 1;
const SWEEP_BEAT = 3;
const NAME_BEAT = 12;
const SCARCITY_BEAT = 14;

/** One code a face, each of another family of paint. */
const FACE_CODES = [
  'JEKY2A7VK2',
  'W8ZYA0FZES',
  'X9FQC435T7',
  '2JGJPPJJGC',
  'K3A9K7CKSS',
  '856M8P3JZ6',
];
const facePaints = FACE_CODES.map((code) => choosePaint(seedRandom(code)));

/** A moment at which a whole face shows, for the poster. */
export const POSTER_SECONDS = (FACES_BEAT + 4.45) * BEAT_SECONDS;

/** Light decays as exp(-t / 1.1 s), as on the site. */
const AFTERGLOW_SECONDS = 1.1;

/** Light of one dot: `unlit` in bone, `charged` in afterglow, each 0 to 1. */
export type Glow = { readonly unlit: number; readonly charged: number };

export function glowOfMask({ u, v }: Dot, seconds: number): Glow {
  const beat = seconds / BEAT_SECONDS;
  const presence = 0.14 * smoothStep(SWEEP_BEAT, SWEEP_BEAT + 2, beat);
  const leaving = 1 - 0.72 * smoothStep(NAME_BEAT - 0.2, NAME_BEAT + 1, beat);
  return {
    unlit: presence * leaving,
    charged: (sweepGlow(v, beat) + faceGlow(Math.abs(u), v, beat)) * leaving,
  };
}

/** The eyes open, hold, and close before the first face. */
export function glowOfEyes({ u }: Dot, seconds: number): Glow {
  const beat = seconds / BEAT_SECONDS;
  // They open from the nose outward.
  const opensAt = EYES_BEAT + 1.2 * Math.abs(u);
  const open =
    smoothStep(opensAt, opensAt + 0.7, beat) * (1 - smoothStep(FACES_BEAT - 1, FACES_BEAT, beat));
  return { unlit: 0, charged: open };
}

/** How much of each line of text is shown, 0 to 1. */
export function textOpacity(seconds: number): { name: number; scarcity: number } {
  const beat = seconds / BEAT_SECONDS;
  return {
    name: smoothStep(NAME_BEAT, NAME_BEAT + 1.2, beat),
    scarcity: smoothStep(SCARCITY_BEAT, SCARCITY_BEAT + 1, beat),
  };
}

/** A front of light runs from crown to chin in 1.1 s; behind it, light decays. */
function sweepGlow(v: number, beat: number): number {
  const reachedAt = SWEEP_BEAT * BEAT_SECONDS + (1.1 * (v - MASK_BOUNDS.top)) / MASK_BOUNDS.height;
  return afterglow(beat * BEAT_SECONDS - reachedAt, AFTERGLOW_SECONDS);
}

/** A face spreads from the nose within a third of a beat and stays half lit until the next. */
function faceGlow(side: number, v: number, beat: number): number {
  const index = Math.min(facePaints.length - 1, Math.floor(beat - FACES_BEAT));
  const sinceBeat = beat - FACES_BEAT - index;
  const sinceSeconds = (sinceBeat - 0.33 * Math.hypot(side, v * 0.5)) * BEAT_SECONDS;
  const shown = facePaints[index]?.(side, v)
    ? 0.5 * rise(sinceSeconds) + 0.5 * afterglow(sinceSeconds, 0.4)
    : 0;
  const before = facePaints[index - 1]?.(side, v)
    ? 0.6 * Math.exp(-(sinceBeat * BEAT_SECONDS) / 0.2)
    : 0;
  return Math.max(shown, before);
}

function afterglow(seconds: number, decaySeconds: number): number {
  return rise(seconds) * Math.exp(-Math.max(0, seconds) / decaySeconds);
}

/** From dark to light in the 60 ms before its moment. */
function rise(seconds: number): number {
  return smoothStep(-0.06, 0, seconds);
}
