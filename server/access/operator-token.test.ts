import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { provideFolder } from '../../test/support/provide-folder.ts';
import { StartupError } from '../startup-error.ts';
import { loadOperatorToken, readOperatorToken } from './operator-token.ts';

const pathOf = provideFolder();
const load = (operatorToken: string | null = null) =>
  loadOperatorToken({ operatorToken, dataDir: pathOf() });

test('the token is created once, long and readable by its owner only', async () => {
  const token = await load();
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  expect(await load()).toBe(token);
  expect(statSync(pathOf('operator-token')).mode & 0o777).toBe(0o600);
});

test('processes that start together agree on one token and leave no other file', async () => {
  const tokens = await Promise.all(Array.from({ length: 10 }, () => load()));
  expect(new Set(tokens).size).toBe(1);
  expect(readdirSync(pathOf())).toEqual(['operator-token']);
});

test.each([0o644, 0o620])(
  'a token of mode %o is refused, with the command to fix it',
  async (mode) => {
    await load();
    chmodSync(pathOf('operator-token'), mode);
    await expect(load()).rejects.toThrow(StartupError);
    await expect(load()).rejects.toThrow(/^Others can read or change .*chmod 600/);
  },
);

test.each(['', 'short'])('a file with %j is not accepted as a token', async (content) => {
  writeFileSync(pathOf('operator-token'), content, { mode: 0o600 });
  await expect(load()).rejects.toThrow(
    /operator-token does not hold a secret\. Delete it and restart the server, which then makes/,
  );
});

test('a token of the settings is used as it is, and no file is made', async () => {
  const token = 'c2V0IGJ5IHRoZSBvcGVyYXRvciwgZm9yIGFsbCBzZXJ2ZXJz';
  expect(await load(token)).toBe(token);
  expect(await readOperatorToken({ operatorToken: token, dataDir: pathOf() })).toBe(token);
  expect(readdirSync(pathOf())).toEqual([]);
});

test('a command that finds no token says which setting has it', async () => {
  await expect(readOperatorToken({ operatorToken: null, dataDir: pathOf() })).rejects.toThrow(
    /^There is no .*operator-token: set OPERATOR_TOKEN as the server has it\.$/,
  );
});

test('a file that cannot be read as a token is refused with the reason', async () => {
  mkdirSync(pathOf('operator-token'), { mode: 0o700 });
  await expect(load()).rejects.toThrow(/^\S+operator-token cannot be read: it is a folder\.$/);
});
