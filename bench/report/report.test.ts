import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeReport } from './report.ts';

const part = {
  name: 'some-joins',
  writes: 'SOME.md',
  options: {},
  measure: async () => ({}),
  targets: () => [],
  describe: () => '',
};
const run = {
  command: 'npm run bench -- --only some-joins',
  options: '--members 10',
  seconds: 12,
  loadBefore: 0,
  loadAfter: 1,
  targets: [{ what: 'joins a second', measured: 5, atLeast: 4 }],
  section: '## some\n\n| joins |\n| --- |\n| 5 |',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-report-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a new report has a row for each condition, target and figure', () => {
  const report = readFileSync(writeReport(folder, part, run), 'utf8');
  expect(report).toContain('| some-joins | seconds | 12 |\n| some-joins | load | 0.0 → 1.0 |\n');
  expect(report).toContain('| some-joins | joins a second | ≥ 4 | **5.00** |  | met |\n');
  expect(report).toContain('\n## some\n\n| joins |\n| --- |\n| 5 |\n');
});

test('a further run takes the place of the one before', () => {
  const before = readFileSync(writeReport(folder, part, run), 'utf8');
  const after = readFileSync(writeReport(folder, part, { ...run, seconds: 13 }), 'utf8');
  const stable = (report: string) => report.replace(/\| measured.*/, '');
  expect(stable(after)).toBe(stable(before).replace('| 12 |', '| 13 |'));
});
