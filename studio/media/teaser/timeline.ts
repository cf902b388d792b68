import type { Dot } from '../../../brand/art/halftone.ts';
import { MASK_BOUNDS, smoothStep } from '../../../brand/art/mask-shape.ts';
import { seedRandom } from '../../../brand/art/seeded-random.ts';
import { choosePaint } from '../../../brand/art/war-paint.ts';

export const BEAT_SECONDS = 60 / 90;

/**
 * The film in beats of the soundtrack: the eyes at once, a sweep of light, five faces with their
 * codes (at most 1.5 a second, so nothing flashes above 3 Hz), then the masks light up one by one
 * under the name, and ONLY 100 MASKS. They go out for one mask, which turns over the address.
 */
const FILM_BEATS = 20;
export const FILM_SECONDS = FILM_BEATS * BEAT_SECONDS;
export const FACES_BEAT = 4;
const EYES_SECONDS = { from: 0.04, to: 0.26 };
const SWEEP_BEAT = 1.4;
const MASKS_BEAT = 12;
const MASKS_LAST = 2.6;
const NAME_BEAT = 12.6;
const SCARCITY_BEAT = 14.8;
const TURN_BEAT = 15.9;
const ADDRESS_BEAT = 16.5;

/** One code a face, each of another family of paint; the last ones follow faster. */
export const FACES = [
  { code: '856M8P3JZ6', beat: FACES_BEAT },
  { code: 'X9FQC435T7', beat: FACES_BEAT + 2 },
  { code: 'W8ZYA0FZES', beat: FACES_BEAT + 4 },
  { code: 'K3A9K7CKSS', beat: FACES_BEAT + 6 },
  { code: 'JEKY2A7VK2', beat: FACES_BEAT + 7 },
] as const;
const facePaints = FACES.map(({ code }) => choosePaint(seedRandom(code)));

export const POSTER_SECONDS = (FACES_BEAT + 3.6) * BEAT_SECONDS;

/** Light decays as exp(-t / 1.1 s), as on the site. */
const AFTERGLOW_SECONDS = 1.1;

export type Glow = { readonly unlit: number; readonly charged: number };

export function glowOfMask({ u, v }: Dot, seconds: number): Glow {
  const beat = seconds / BEAT_SECONDS;
  const presence = 0.16 * smoothStep(SWEEP_BEAT, SWEEP_BEAT + 1.2, beat);
  const leaving = 1 - smoothStep(MASKS_BEAT, MASKS_BEAT + 0.6, beat);
  return {
    unlit: presence * leaving,
    charged: (sweepGlow(v, beat) + faceGlow(Math.abs(u), v, beat)) * leaving,
  };
}

/** The eyes are open within 0.3 s, from the nose outward, and close as the first face comes. */
export function glowOfEyes({ u }: Dot, seconds: number): Glow {
  const { from, to } = EYES_SECONDS;
  const opensAt = from + 0.1 * Math.abs(u);
  const open =
    smoothStep(opensAt, opensAt + to - from - 0.07, seconds) *
    (1 - smoothStep(FACES_BEAT - 0.8, FACES_BEAT, seconds / BEAT_SECONDS));
  return { unlit: 0, charged: open };
}

export function textOpacity(seconds: number) {
  const beat = seconds / BEAT_SECONDS;
  return {
    name: smoothStep(NAME_BEAT, NAME_BEAT + 1.2, beat),
    scarcity: smoothStep(SCARCITY_BEAT, SCARCITY_BEAT + 1, beat),
    address: smoothStep(ADDRESS_BEAT, ADDRESS_BEAT + 0.8, beat),
    codes: FACES.map((face, index) => {
      const goesAt = FACES[index + 1]?.beat ?? MASKS_BEAT;
      return smoothStep(face.beat, face.beat + 0.25, beat) * (beat < goesAt ? 1 : 0);
    }),
  };
}

/** The masks: unlit together, then each lit and later out, in the order of `place` (0 to 1). */
export function glowOfMasks(place: number, seconds: number): { shown: number; lit: number } {
  const beat = seconds / BEAT_SECONDS;
  const litAt = MASKS_BEAT + 0.6 + MASKS_LAST * place;
  const outAt = TURN_BEAT - 0.3 + 0.5 * place;
  const staying = 1 - smoothStep(outAt, outAt + 0.3, beat);
  return {
    shown: smoothStep(MASKS_BEAT + 0.2, MASKS_BEAT + 0.8, beat) * staying,
    lit: smoothStep(litAt, litAt + 0.25, beat) * staying,
  };
}

/** The mask of the last card comes out of the dark from its side, and turns until the end. */
export function rotationOfMask(seconds: number): { glow: number; yaw: number } {
  const beat = seconds / BEAT_SECONDS;
  const share = (beat - TURN_BEAT) / (FILM_BEATS - TURN_BEAT);
  return { glow: smoothStep(TURN_BEAT, TURN_BEAT + 0.9, beat), yaw: 1.5 * share - 1.2 };
}

/** A front of light runs from crown to chin in 1.1 s; behind it, light decays. */
function sweepGlow(v: number, beat: number): number {
  const reachedAt = SWEEP_BEAT * BEAT_SECONDS + (1.1 * (v - MASK_BOUNDS.top)) / MASK_BOUNDS.height;
  return afterglow(beat * BEAT_SECONDS - reachedAt, AFTERGLOW_SECONDS);
}

/** A face spreads from the nose to the full within a third of a beat, and stays until the next. */
function faceGlow(side: number, v: number, beat: number): number {
  const index = FACES.findLastIndex((face) => face.beat <= beat + 0.1);
  const sinceSeconds = (beat - (FACES[index]?.beat ?? 0)) * BEAT_SECONDS;
  const spread = sinceSeconds - 0.2 * Math.hypot(side, v * 0.5);
  const shown = facePaints[index]?.(side, v)
    ? 0.86 * rise(spread) + 0.14 * afterglow(spread, 0.4)
    : 0;
  const before = facePaints[index - 1]?.(side, v) ? 0.7 * Math.exp(-sinceSeconds / 0.14) : 0;
  return Math.max(shown, before);
}

function afterglow(seconds: number, decaySeconds: number): number {
  return rise(seconds) * Math.exp(-Math.max(0, seconds) / decaySeconds);
}

function rise(seconds: number): number {
  return smoothStep(-0.06, 0, seconds);
}
