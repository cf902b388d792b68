import { describe, expect, test } from 'vitest';
import type { MaskObject } from '../brand-shape.ts';
import { halftone } from './halftone.ts';
import { shapeMask, stillsSvg } from './mask-object.ts';

const object = complete(shapeMask());
const picture = halftone(58);

function complete(steps: Generator<void, MaskObject>): MaskObject {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function drawAt(yaw: number, pitch = 0): Map<string, number> {
  const dots = new Map<string, number>();
  for (const _ of object.turn(yaw, pitch, (x, y, level) => dots.set(`${x} ${y}`, level)));
  return dots;
}

test('at the front it is the picture of the mask, dot for dot but for a few at edges', () => {
  expect([object.width, object.height]).toEqual([picture.width, picture.height]);
  const front = drawAt(0);
  const levels = object.looks.length;
  const off = picture.dots.filter(({ x, y, brightness }) => {
    const level = front.get(`${x} ${y}`);
    return level === undefined || Math.abs((level + 0.5) / levels - brightness) > 0.25;
  });
  expect(off.length / picture.dots.length).toBeLessThan(0.06);
  expect(front.size / picture.dots.length).toBeCloseTo(1, 1);
});

describe.each([-1.3, -0.6, 0, 0.35, 1.3])('turned by %d', (yaw) => {
  test.each([-0.35, 0, 0.35])('and nodding by %d, it stays inside of the grid', (pitch) => {
    const dots = drawAt(yaw, pitch);
    expect(dots.size).toBeGreaterThan(1200);
    for (const place of dots.keys()) {
      const [x = 0, y = 0] = place.split(' ').map(Number);
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(object.width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(object.height);
    }
  });
});

test.each([-0.5, 0, 0.5])('turned by %d, both eyes stay holes where they are located', (yaw) => {
  const places = [...drawAt(yaw).keys()].map((place) => place.split(' ').map(Number));
  const distanceTo = (u: number, v: number) => {
    const eye = object.locate([u, v], yaw, 0);
    return Math.min(...places.map(([x = 0, y = 0]) => Math.hypot(x - eye.x, y - eye.y)));
  };
  for (const side of [-0.36, 0.36]) {
    expect(distanceTo(side, -0.15)).toBeGreaterThan(14);
    expect(distanceTo(side, -0.6)).toBeLessThan(14);
  }
});

test('it turns with the paint of a code, which changes no level', () => {
  const bare = drawAt(0.4);
  object.paint('GH05T1GH05');
  const sides = { left: 0, right: 0 };
  let inside = 0;
  const turned = object.turn(0, 0, (x, _y, _level, isPainted) => {
    if (isPainted) sides[x < object.width / 2 ? 'left' : 'right'] += 1;
    else inside += 1;
  });
  for (const _ of turned);
  expect(sides.left / sides.right).toBeCloseTo(1, 1);
  expect(Math.min(sides.left, inside)).toBeGreaterThan(200);
  expect(drawAt(0.4)).toEqual(bare);
  object.paint(null);
  for (const _ of object.turn(0, 0, (_x, _y, _level, isPainted) => expect(isPainted).toBe(false)));
});

test('the surface comes in steps of at most a row, and so does each of its pictures', () => {
  expect([...shapeMask()].length).toBeGreaterThan(100);
  const dots: number[] = [];
  const rows: number[] = [];
  for (const _ of object.turn(0, 0, (x) => dots.push(x))) rows.push(dots.splice(0).length);
  expect(Math.max(...rows)).toBeGreaterThan(20);
  expect(Math.max(...rows)).toBeLessThanOrEqual(58);
});

test('the stills are three views in a row, the front widest and the side narrowest', () => {
  const columns = [0, 1, 2].map(
    (view) =>
      new Set(
        [...stillsSvg().matchAll(/M(\d+) \d+h0/g)]
          .map(([, x]) => Number(x))
          .filter((x) => Math.floor(x / object.width) === view),
      ).size,
  );
  expect(columns).toEqual(columns.toSorted((a, b) => b - a));
  expect(Math.min(...columns)).toBeGreaterThan(20);
});
