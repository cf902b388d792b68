import { describe, expect, test } from 'vitest';
import { halftone } from '../../../brand/art/halftone.ts';
import { FILM_SECONDS, glowOfMask, textOpacity } from './timeline.ts';

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
  test('lasts 12 seconds, starts dark and ends on the scarcity', () => {
    expect(FILM_SECONDS).toBeCloseTo(12, 9);
    expect(meanGlow[0]).toBe(0);
    expect(textOpacity(0)).toEqual({ name: 0, scarcity: 0 });
    expect(textOpacity(FILM_SECONDS)).toEqual({ name: 1, scarcity: 1 });
  });

  test('never flashes more than three times in a second', () => {
    const falls = turnsDownward(meanGlow, 0.05);
    expect(falls.length).toBeGreaterThan(3);
    for (const first of falls) {
      const within = falls.filter((frame) => frame >= first && frame < first + FRAMES_PER_SECOND);
      expect(within.length).toBeLessThanOrEqual(3);
    }
  });
});

/** Where a series that rose by `swing` has fallen by as much: the end of a flash (WCAG 2.3.1). */
function turnsDownward(series: readonly number[], swing: number): number[] {
  const turns: number[] = [];
  let isRising = false;
  let extreme = 0;
  series.forEach((value, index) => {
    if (isRising ? value > extreme : value < extreme) extreme = value;
    if (Math.abs(value - extreme) < swing) return;
    if (isRising) turns.push(index);
    isRising = !isRising;
    extreme = value;
  });
  return turns;
}
