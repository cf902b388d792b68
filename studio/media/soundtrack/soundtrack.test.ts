import { describe, expect, test } from 'vitest';
import { pingPongDelay, reverb } from './effects.ts';
import { bell } from './instruments.ts';
import { addSound, createLoop, removeOffset, SAMPLE_RATE } from './loop-buffer.ts';
import {
  arpeggioOfBar,
  BAR_SECONDS,
  BARS,
  bassOfBar,
  chordOfBar,
  hasDrums,
  isLift,
  kickBeats,
  motifOfBar,
  padOpening,
} from './score.ts';

describe('the loop', () => {
  test('has no offset, which would cost headroom', () => {
    const loop = createLoop(1);
    addSound(loop, (t) => 0.25 + Math.sin(t * 600), { at: 0, lasts: 1, level: 1 });
    removeOffset(loop);
    expect(Math.abs(loop.left.reduce((sum, value) => sum + value, 0))).toBeLessThan(1);
  });

  test('wraps what rings past its end to its start', () => {
    const loop = createLoop(1);
    addSound(loop, () => 1, { at: 0.9, lasts: 0.2, level: 1 });
    expect(loop.left[Math.round(0.05 * SAMPLE_RATE)]).toBeGreaterThan(0.5);
    expect(loop.left[Math.round(0.5 * SAMPLE_RATE)]).toBe(0);
  });

  test.each([
    ['echoes', pingPongDelay(lateBell(), { delaySeconds: 0.3, feedback: 0.6 })],
    ['reverb', reverb(lateBell(), { decay: 0.9 })],
  ])('carries its %s across the end without a jump', (_, { left }) => {
    const steps = Array.from(left, (value, index) => Math.abs(value - (left.at(index - 1) ?? 0)));
    const [stepOverTheEnd = 0] = steps;
    expect(Math.max(...left.subarray(0, 10_000).map(Math.abs))).toBeGreaterThan(0.001);
    expect(stepOverTheEnd).toBeLessThan(Math.max(...steps.slice(1)));
  });
});

describe('the score', () => {
  test('lasts 64 seconds', () => {
    expect(BARS * BAR_SECONDS).toBeCloseTo(64, 9);
  });

  test('brings the drums with the third bar, and the air rises into them', () => {
    expect([0, 1, 2, 3].map(hasDrums)).toEqual([false, false, true, true]);
    expect(Array.from({ length: BARS }, (_, bar) => bar).filter(isLift)).toEqual([1, 19]);
  });

  test('opens the pads for the full part, and over the end of the loop without a step', () => {
    const openings = Array.from({ length: BARS }, (_, bar) => padOpening(bar));
    expect(Math.max(...openings) - Math.min(...openings)).toBeGreaterThan(0.6);
    const steps = openings.map((value, bar) => Math.abs(value - (openings.at(bar - 1) ?? 0)));
    expect(Math.max(...steps)).toBeLessThan(0.2);
  });

  test('keeps every note inside its bar and in the key of A minor', () => {
    const key = new Set([9, 11, 0, 2, 4, 5, 7]);
    for (let bar = 0; bar < BARS; bar++) {
      for (const { beat, note } of [...bassOfBar(bar), ...motifOfBar(bar), ...arpeggioOfBar(bar)]) {
        expect(beat).toBeLessThan(4);
        expect(key, `bar ${bar}, note ${note}`).toContain(note % 12);
      }
      for (const voice of chordOfBar(bar).voices) expect(key).toContain(voice % 12);
      for (const beat of kickBeats(bar)) expect(beat).toBeLessThan(4);
    }
  });
});

function lateBell() {
  const loop = createLoop(1);
  addSound(loop, bell(69), { at: 0.8, lasts: 0.15, level: 1 });
  return loop;
}
