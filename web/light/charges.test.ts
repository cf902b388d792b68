import { expect, test } from 'vitest';
import { openCharges } from './charges.ts';

const COLUMNS = 40;
const ROWS = 30;
const across = { fromX: 5, fromY: 10.5, toX: 30, toY: 10.5, reach: 4 };
const at = (levels: Float32Array, column: number, row: number) => levels[row * COLUMNS + column];

test('a stroke charges the cells that it passes, less beside them, and none beyond its reach', () => {
  const charges = openCharges(COLUMNS, ROWS);
  expect(charges.isGlowing()).toBe(false);
  charges.stroke(across);
  expect(at(charges.levels, 20, 10)).toBe(1);
  expect(at(charges.levels, 20, 12)).toBeGreaterThan(0);
  expect(at(charges.levels, 20, 12)).toBeLessThan(1);
  expect(at(charges.levels, 20, 15)).toBe(0);
  expect(at(charges.levels, 36, 10)).toBe(0);
  expect(charges.isGlowing()).toBe(true);
});

test('a stroke over the edge charges what lies within, and one beside the picture nothing', () => {
  const charges = openCharges(COLUMNS, ROWS);
  charges.stroke({ fromX: -3, fromY: -2, toX: -3, toY: 2, reach: 5 });
  expect(at(charges.levels, 0, 0)).toBeGreaterThan(0);
  expect(at(charges.levels, COLUMNS - 1, 0)).toBe(0);
  const untouched = openCharges(COLUMNS, ROWS);
  untouched.stroke({ fromX: COLUMNS + 9, fromY: 5, toX: COLUMNS + 9, toY: 9, reach: 5 });
  expect(untouched.isGlowing()).toBe(false);
});

test('a faint stroke takes nothing from what glows more', () => {
  const charges = openCharges(COLUMNS, ROWS);
  charges.stroke(across);
  charges.stroke({ ...across, fromY: 13.5, toY: 13.5 });
  expect(at(charges.levels, 20, 10)).toBe(1);
});

test('all charges decay together until the picture is dark', () => {
  const charges = openCharges(COLUMNS, ROWS);
  charges.stroke(across);
  charges.decay(1100);
  expect(at(charges.levels, 20, 10)).toBeCloseTo(Math.exp(-1), 5);
  charges.decay(4000);
  expect(charges.isGlowing()).toBe(false);
});
