import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isAll } from '../../test/support/test-form.ts';
import { coarsePaint, ghostSvg } from './ghost.ts';
import { halftone } from './halftone.ts';
import { seedRandom } from './seeded-random.ts';
import { choosePaint } from './war-paint.ts';

const codes = Array.from({ length: isAll ? 200 : 40 }, (_, index) =>
  (0x9e3779b9 * (index + 1)).toString(32).toUpperCase(),
);

describe('the ghost of a referral code', () => {
  test('is the same bytes each time and in any letter case', () => {
    expect(ghostSvg('7kq2xw9abc')).toBe(ghostSvg('7KQ2XW9ABC'));
    expect(ghostSvg('7KQ2XW9ABC')).toBe(ghostSvg('7KQ2XW9ABC'));
  });

  test('differs between codes, including similar ones', () => {
    const faces = new Set(codes.map((code) => ghostSvg(code, { columns: 30 })));
    expect(faces.size).toBe(codes.length);
    expect(ghostSvg('AAAAAAAAAA')).not.toBe(ghostSvg('AAAAAAAAAB'));
  });

  test('paints both sides the same', () => {
    const svg = ghostSvg('7KQ2XW9ABC');
    const width = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]);
    const [bare = '', paint = ''] = svg.split('class="ghost-paint"');
    const bareDots = dotsOf(bare);
    const paintDots = dotsOf(paint);
    expect(paintDots.size).toBeGreaterThan(300);
    for (const dot of paintDots) {
      const [x = 0, y = 0] = dot.split(' ').map(Number);
      expect(bareDots).not.toContain(`${width - x} ${y}`);
    }
  });

  test('paints between an eighth and two thirds of the face', () => {
    const { dots } = halftone(52);
    for (const code of codes) {
      const isPainted = choosePaint(seedRandom(code));
      const share = dots.filter((dot) => isPainted(Math.abs(dot.u), dot.v)).length / dots.length;
      expect(share, code).toBeGreaterThan(0.12);
      expect(share, code).toBeLessThan(0.66);
    }
  });

  test('stays under 2.8 kB compressed', () => {
    for (const code of codes.slice(0, isAll ? 24 : 6))
      expect(brotliCompressSync(ghostSvg(code)).length, code).toBeLessThan(2800);
  });

  test('puts no part of the code into the markup', () => {
    expect(ghostSvg('<script>"')).not.toContain('script');
  });
});

function dotsOf(markup: string): Set<string> {
  const centres = new Set<string>();
  for (const [, path = ''] of markup.matchAll(/ d="([^"]+)"/g)) {
    let x = 0;
    let y = 0;
    for (const [, dx, dy] of path.matchAll(/m(-?\d+) ?(-?\d+)h0/gi)) {
      x += Number(dx);
      y += Number(dy);
      centres.add(`${x} ${y}`);
    }
  }
  return centres;
}

describe('the coarse paint of a referral code', () => {
  test('is eleven digits, the same in any letter case, and paints what the face does', () => {
    expect(coarsePaint('7kq2xw9abc')).toBe(coarsePaint('7KQ2XW9ABC'));
    for (const code of codes) expect(coarsePaint(code)).toMatch(/^[0-9a-f]{11}$/);
    const painted = codes.map((code) => [...coarsePaint(code)].filter((row) => row !== '0').length);
    expect(Math.min(...painted)).toBeGreaterThan(1);
  });

  test.runIf(isAll)('fits so many codes that it leads back to none', () => {
    const count = 20_000;
    const seen = new Map<string, number>();
    for (let index = 0; index < count; index += 1) {
      const paint = coarsePaint(`CODE${index}`);
      seen.set(paint, (seen.get(paint) ?? 0) + 1);
    }
    const twins = [...seen.values()].reduce((sum, n) => sum + (n * (n - 1)) / 2, 0);
    expect(Math.log2((count * (count - 1)) / 2 / twins)).toBeLessThan(16);
  });
});
