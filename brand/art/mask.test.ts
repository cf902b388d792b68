import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ghostSvg } from './ghost.ts';
import { halftone } from './halftone.ts';
import { maskSvg } from './mask.ts';
import { lightOn, surfacesAt } from './mask-light.ts';
import { heightsAt, MASK_BOUNDS, opening } from './mask-shape.ts';

describe('the mask', () => {
  test('is lit from one side', () => {
    const surface = surfacesAt(-0.6)(0.5);
    if (surface === null) throw new Error('This is outside the mask.');
    expect(lightOn(surface, 0.5, -0.6)).not.toBeCloseTo(lightOn(surface, -0.5, -0.6), 2);
  });

  test('is open at the eyes and closed between them', () => {
    expect(opening(0.39, -0.16)).toBeGreaterThan(0.9);
    expect(opening(0, -0.16)).toBe(0);
  });

  test('fits its bounds', () => {
    const { left, width, top, height } = MASK_BOUNDS;
    expect(left + width).toBe(-left);
    for (let v = top; v <= top + height; v += 0.01) expect(heightsAt(v)(left + width)).toBe(-1);
    for (let side = 0; side <= left + width; side += 0.01) {
      expect(heightsAt(top)(side)).toBe(-1);
      expect(heightsAt(top + height)(side)).toBe(-1);
    }
  });

  test('is drawn in dots with whole coordinates inside the view box', () => {
    const { width, height, dots } = halftone(40);
    for (const { x, y } of dots) {
      expect(Number.isInteger(x) && Number.isInteger(y)).toBe(true);
      expect(x > 0 && x < width && y > 0 && y < height).toBe(true);
    }
  });

  test('compresses to about 2 kB and is hidden from assistive technology', () => {
    const svg = maskSvg();
    expect(brotliCompressSync(svg).length).toBeLessThan(2100);
    expect(svg).toContain('aria-hidden="true"');
  });

  test.each([
    ['mask', maskSvg()],
    ['ghost', ghostSvg('7KQ2XW9ABC')],
  ])('the %s has no style attribute, script or long decimal', (_, svg) => {
    expect(svg).not.toMatch(/style|script|\son\w+=/);
    expect(svg).not.toMatch(/\.\d{3}/);
  });
});
