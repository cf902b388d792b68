import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeInputs } from '../../contract/operator/changes.ts';
import { readConfig } from '../../server/config.ts';
import { inParts, readInput } from './field-words.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-words-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const config = readConfig({});

test('hours, costs and numbers become the values of their fields', async () => {
  const extend = await readInput(changeInputs['extend-offers'], { minutes: '1.5' }, config);
  expect(extend).toEqual({ minutes: 90 });
  const budget = { tier: '2', units: '30', 'cents-per-unit': '12.50' };
  expect(await readInput(changeInputs['set-reward-budget'], budget, config)).toEqual({
    tier: 2,
    units: 30,
    cents_per_unit: 1250,
  });
});

test.each(['-1', '0', '0.001', '1000', 'many'])('%s is not a number of hours', async (minutes) => {
  await expect(readInput(changeInputs['extend-offers'], { minutes }, config)).rejects.toThrow(
    `${minutes} is not a number of hours from 0.01 to 999.99.`,
  );
});

test('a number that does not fit is refused before the server is asked for a size', async () => {
  const words = { size: 'Small', stock: 'many' };
  await expect(readInput(changeInputs['set-stock'], words, config)).rejects.toThrow(
    'many is not a whole number',
  );
});

test('a file of codes is read once, and sent in parts that a call can hold', async () => {
  const path = join(folder, 'codes.txt');
  const codes = Array.from({ length: 450 }, (_, index) => `GHOST-${index}`);
  writeFileSync(path, ` ${codes.join('\r\n\n')}\n`);
  expect(await readInput(changeInputs['import-codes'], { codes: path }, config)).toEqual({ codes });
  expect(inParts(codes).map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(inParts(codes).flat()).toEqual(codes);
  expect(inParts(Array(120).fill('x'.repeat(100))).map(({ length }) => length)).toEqual([97, 23]);
  writeFileSync(path, 'TWICE\nTWICE\n');
  await expect(readInput(changeInputs['import-codes'], { codes: path }, config)).rejects.toThrow(
    'a code twice',
  );
});
