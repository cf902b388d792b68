import { expect, test } from 'vitest';
import { createGlow } from './glow.ts';

const COLUMNS = 40;
const ROWS = 30;
const across = { fromX: 5.5, fromY: 10.5, toX: 30.5, toY: 10.5, reach: 4 };
const at = (levels: Float32Array, column: number, row: number) => levels[row * COLUMNS + column];

test('a stroke charges its own cells fully, others less, and none beyond its reach', () => {
  const glow = createGlow(COLUMNS, ROWS);
  expect(glow.isGlowing()).toBe(false);
  glow.stroke(across);
  for (const column of [5, 20, 30]) expect(at(glow.levels, column, 10)).toBe(1);
  const beside = [11, 12, 13].map((row) => at(glow.levels, 20, row) ?? 0);
  expect(beside).toEqual(beside.toSorted((a, b) => b - a));
  expect(beside[0]).toBeLessThan(1);
  expect(beside[2]).toBeGreaterThan(0);
  expect(at(glow.levels, 20, 14)).toBe(0);
  expect(at(glow.levels, 36, 10)).toBe(0);
  expect(glow.isGlowing()).toBe(true);
});

test('a stroke charges only cells of the picture, and none from too far away', () => {
  const glow = createGlow(COLUMNS, ROWS);
  glow.stroke({ fromX: -3, fromY: -2, toX: -3, toY: 2, reach: 5 });
  expect(at(glow.levels, 0, 0)).toBeGreaterThan(0);
  expect(at(glow.levels, COLUMNS - 1, 0)).toBe(0);
  const untouched = createGlow(COLUMNS, ROWS);
  untouched.stroke({ fromX: COLUMNS + 9, fromY: 5, toX: COLUMNS + 9, toY: 9, reach: 5 });
  expect(untouched.isGlowing()).toBe(false);
});

test('a resting pointer charges the cells around it', () => {
  const glow = createGlow(COLUMNS, ROWS);
  glow.stroke({ ...across, toX: across.fromX });
  expect(at(glow.levels, 5, 10)).toBe(1);
  expect(at(glow.levels, 5, 20)).toBe(0);
});

test('a faint stroke lowers nothing that glows more', () => {
  const glow = createGlow(COLUMNS, ROWS);
  glow.stroke(across);
  glow.stroke({ ...across, fromY: 13.5, toY: 13.5 });
  expect(at(glow.levels, 20, 10)).toBe(1);
});

test('a charge falls to 1/e in 1.1 s, however many frames that takes', () => {
  for (const frames of [1, 66]) {
    const glow = createGlow(COLUMNS, ROWS);
    glow.stroke(across);
    for (let frame = 0; frame < frames; frame += 1) glow.decay(1100 / frames);
    expect(at(glow.levels, 20, 10)).toBeCloseTo(Math.exp(-1), 5);
  }
});

test('a charge still glows after 3 s, is dark after 4 s, and stays dark', () => {
  const glow = createGlow(COLUMNS, ROWS);
  glow.stroke(across);
  glow.decay(3000);
  expect(glow.isGlowing()).toBe(true);
  glow.decay(1000);
  expect(glow.isGlowing()).toBe(false);
  glow.decay(16);
  expect(glow.isGlowing()).toBe(false);
});
