import { describe, expect, test } from 'vitest';
import { halftone } from '../../../brand/art/halftone.ts';
import {
  BEAT_SECONDS,
  FACES,
  FILM_SECONDS,
  glowOfEyes,
  glowOfMask,
  glowOfMasks,
  rotationOfMask,
  textOpacity,
} from './timeline.ts';

const { dots } = halftone(20);
const FRAMES_PER_SECOND = 30;
const meanGlow = Array.from(
  { length: Math.floor(FILM_SECONDS * FRAMES_PER_SECOND) },
  (_, frame) => {
    const glows = dots.map((dot) => glowOfMask(dot, frame / FRAMES_PER_SECOND));
    return glows.reduce((sum, { unlit, charged }) => sum + unlit + charged, 0) / dots.length;
  },
);

describe('the teaser', () => {
  test('lasts 12 to 15 seconds, starts dark and ends on the address', () => {
    expect(FILM_SECONDS).toBeGreaterThanOrEqual(12);
    expect(FILM_SECONDS).toBeLessThanOrEqual(15);
    expect(meanGlow[0]).toBe(0);
    const { codes, ...lines } = textOpacity(FILM_SECONDS);
    expect(lines).toEqual({ name: 1, scarcity: 1, address: 1 });
    expect(codes.every((opacity) => opacity === 0)).toBe(true);
  });

  test('opens the eyes within 0.3 seconds', () => {
    for (const u of [0.175, 0.6]) {
      const eye = { x: 0, y: 0, u, v: -0.16, brightness: 1 };
      expect(glowOfEyes(eye, 0).charged).toBe(0);
      expect(glowOfEyes(eye, 0.3).charged).toBe(1);
    }
  });

  test('paints each face to the full over its own code', () => {
    FACES.forEach(({ beat }, index) => {
      const seconds = (beat + 0.7) * BEAT_SECONDS;
      expect(Math.max(...dots.map((dot) => glowOfMask(dot, seconds).charged))).toBeGreaterThan(
        0.85,
      );
      expect(textOpacity(seconds).codes.map(Number)).toEqual(
        FACES.map((_, at) => (at === index ? 1 : 0)),
      );
    });
  });

  test('lights the masks one by one at the end, from the first to the last', () => {
    expect(glowOfMasks(0, 0)).toEqual({ shown: 0, lit: 0 });
    const litAt = (place: number) =>
      Array.from({ length: 300 }, (_, frame) => frame / 20).find(
        (seconds) => glowOfMasks(place, seconds).lit === 1,
      ) ?? Number.POSITIVE_INFINITY;
    expect(litAt(0.5)).toBeGreaterThan(litAt(0));
    expect(litAt(1)).toBeGreaterThan(litAt(0.5));
    expect(litAt(1)).toBeLessThan(FILM_SECONDS - 1);
  });

  test('moves until the end, without the hundred masks', () => {
    const end = FILM_SECONDS;
    for (const place of [0, 1]) expect(glowOfMasks(place, end)).toEqual({ shown: 0, lit: 0 });
    expect(rotationOfMask(end).glow).toBe(1);
    expect(rotationOfMask(end).yaw - rotationOfMask(end - 0.5).yaw).toBeGreaterThan(0.2);
    expect(textOpacity(end - 1.5).address).toBe(1);
  });

  test('never flashes more than three times in a second', () => {
    const falls = bendsDownward(meanGlow, 0.05);
    expect(falls.length).toBeGreaterThan(3);
    for (const first of falls) {
      const within = falls.filter((frame) => frame >= first && frame < first + FRAMES_PER_SECOND);
      expect(within.length).toBeLessThanOrEqual(3);
    }
  });
});

/** Where a series that rose by `swing` has fallen by as much: the end of a flash (WCAG 2.3.1). */
function bendsDownward(series: readonly number[], swing: number): number[] {
  const bends: number[] = [];
  let isRising = false;
  let extreme = 0;
  series.forEach((value, index) => {
    if (isRising ? value > extreme : value < extreme) extreme = value;
    if (Math.abs(value - extreme) < swing) return;
    if (isRising) bends.push(index);
    isRising = !isRising;
    extreme = value;
  });
  return bends;
}
