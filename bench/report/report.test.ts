import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeReport } from './report.ts';

const run = {
  name: 'some-joins',
  command: 'npm run bench -- --only some-joins',
  scale: ['members 10'],
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

function write(given = run): string {
  const path = join(folder, 'SOME.md');
  writeReport(path, given);
  return readFileSync(path, 'utf8');
}

test('a new report has a row for each condition, target and figure', () => {
  const report = write();
  expect(report).toContain('| some-joins | seconds | 12 |\n| some-joins | load | 0.0 → 1.0 |\n');
  expect(report).toContain('| some-joins | joins a second | ≥ 4 | **5.00** |  | met |\n');
  expect(report).toContain('\n## some\n\n| joins |\n| --- |\n| 5 |\n');
});

test('a further run takes the place of the one before', () => {
  const before = write();
  const after = write({ ...run, seconds: 13 });
  const stable = (report: string) => report.replace(/\| measured.*/, '');
  expect(stable(after)).toBe(stable(before).replace('| 12 |', '| 13 |'));
});
