import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readCommit, readVersion } from './version.ts';

test('a program names its version and the commit of its checkout', () => {
  expect(readVersion()).toMatch(/^\d+\.\d+\.\d+$/);
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
  expect(readCommit()).toBe(head.slice(0, 12));
});
