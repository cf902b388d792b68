import { expect, test } from 'vitest';
import { chargeFromStroke, decayCharge, shareLeft } from './charge-rules.ts';

const stroke = { fromX: 0, fromY: 0, toX: 100, toY: 0, reach: 20 };

test('a charge falls to 1/e in 1.1 s, however many frames that takes', () => {
  expect(decayCharge(1, shareLeft(1100))).toBeCloseTo(Math.exp(-1), 10);
  let charge = 1;
  for (let frame = 0; frame < 66; frame += 1) charge = decayCharge(charge, shareLeft(1100 / 66));
  expect(charge).toBeCloseTo(Math.exp(-1), 10);
});

test('a charge is dark after 4 s, and stays so', () => {
  expect(decayCharge(1, shareLeft(3000))).toBeGreaterThan(0);
  expect(decayCharge(1, shareLeft(4000))).toBe(0);
  expect(decayCharge(0, shareLeft(16))).toBe(0);
});

test('a stroke charges what it passes fully, also between its ends, and nothing beyond its reach', () => {
  expect(chargeFromStroke(stroke, 50, 0)).toBe(1);
  expect(chargeFromStroke(stroke, 50, 20)).toBe(0);
  expect(chargeFromStroke(stroke, -21, 0)).toBe(0);
  expect(chargeFromStroke(stroke, 50, 5)).toBeGreaterThan(chargeFromStroke(stroke, 50, 10));
});

test('a pointer that rests charges what lies around it', () => {
  expect(chargeFromStroke({ ...stroke, toX: 0 }, 0, 0)).toBe(1);
  expect(chargeFromStroke({ ...stroke, toX: 0 }, 0, -30)).toBe(0);
});
