import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartupError } from '../../startup-error.ts';
import { loadOperatorToken } from './operator-token.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-token-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the token is created once, long and readable by its owner only', async () => {
  const token = await loadOperatorToken(folder);
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(await loadOperatorToken(folder)).toBe(token);
  expect(statSync(join(folder, 'operator-token')).mode & 0o777).toBe(0o600);
});

test('processes that start together agree on one token and leave no other file', async () => {
  const tokens = await Promise.all(Array.from({ length: 10 }, () => loadOperatorToken(folder)));
  expect(new Set(tokens).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['operator-token']);
});

test.each([0o644, 0o620])(
  'a token of mode %o is refused, with the command to fix it',
  async (mode) => {
    await loadOperatorToken(folder);
    chmodSync(join(folder, 'operator-token'), mode);
    await expect(loadOperatorToken(folder)).rejects.toThrow(StartupError);
    await expect(loadOperatorToken(folder)).rejects.toThrow(
      /^Others can read or change .*chmod 600/,
    );
  },
);

test.each(['', 'short'])('a file with %j is not accepted as a token', async (content) => {
  writeFileSync(join(folder, 'operator-token'), content, { mode: 0o600 });
  await expect(loadOperatorToken(folder)).rejects.toThrow('does not hold a secret');
});
