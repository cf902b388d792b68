import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeInputs } from '../../contract/operator/changes.ts';
import { readValue } from '../command-line/program.ts';
import { inParts } from './calls.ts';
import { fieldOf, readTime } from './fields.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-words-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const read = (kind: keyof typeof changeInputs, name: string, text: string) =>
  readValue(fieldOf(name, changeInputs[kind]), text);

test('hours, costs, cards and masks become the values of their fields', () => {
  expect(read('extend-offers', 'minutes', '1.5')).toBe(90);
  expect(read('set-reward-budget', 'cents_per_unit', '12.50')).toBe(1250);
  expect(read('freeze-drop', 'domains', 'a.example,b.example')).toEqual(['a.example', 'b.example']);
  expect(read('freeze-drop', 'cards', '48')).toEqual({ hours: 48 });
  expect(read('freeze-drop', 'cards', '48,no-prepaid')).toEqual({
    hours: 48,
    refuses_prepaid: true,
  });
  expect(read('announce-draw', 'masks', 'Small=2,Extra=1=3')).toEqual([
    { size: 'Small', masks: 2 },
    { size: 'Extra=1', masks: 3 },
  ]);
});

test.each(['-1', '0', '0.001', '1000', 'many'])('%s is not a number of hours', (hours) => {
  expect(() => read('extend-offers', 'minutes', hours)).toThrow(
    `${hours} is not a number of hours from 0.01 to 999.99.`,
  );
});

test('a file of codes is read once, and sent in parts that a call can hold', () => {
  const path = join(folder, 'codes.txt');
  const codes = Array.from({ length: 450 }, (_, index) => `GHOST-${index}`);
  writeFileSync(path, ` ${codes.join('\r\n\n')}\n`);
  expect(read('import-codes', 'codes', path)).toEqual(codes);
  expect(inParts(codes).map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(inParts(codes).flat()).toEqual(codes);
  expect(inParts(Array(120).fill('x'.repeat(100))).map(({ length }) => length)).toEqual([97, 23]);
  writeFileSync(path, 'TWICE\nTWICE\n');
  expect(() => read('import-codes', 'codes', path)).toThrow('a code twice');
});

test.each([
  ['2026-05-01T18:00+02:00', '2026-05-01T16:00:00.000Z'],
  ['2027-02-28', '2027-02-28T00:00:00.000Z'],
  ['2026-05-01T18:00', new Date(2026, 4, 1, 18).toISOString()],
])('%s is a time, without a zone in that of this machine', (text, time) => {
  expect(readTime(text)).toBe(time);
});

test.each(['01.05.2027', 'launch 2027', '2027', '2027-04-31T10:00', '2027-02-29', ''])(
  '%j is refused, and not read as another day',
  (text) => {
    expect(() => readTime(text)).toThrow('It needs a time, such as 2026-05-01T18:00+02:00.');
  },
);
