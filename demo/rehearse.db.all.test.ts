/** The whole rehearsal, on the smallest line and without pauses. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '../scripts/own-server.ts';
import { runProgram } from '../test/support/run-program.ts';
import { QUICK_ENGINE } from '../test/support/server-process.ts';

const REHEARSE = fileURLToPath(new URL('rehearse.ts', import.meta.url));
const SITE_DIR = fileURLToPath(new URL('../dist', import.meta.url));

test('two drops are rehearsed to their end, and add up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-rehearsal-test-'));
  const words = ['--members', '200', '--minutes', '0'];
  const settings = { TMPDIR: folder, PORT: String(await freePort()), SITE_DIR };
  const outcome = await runProgram(
    [process.execPath, ...QUICK_ENGINE, REHEARSE, ...words],
    settings,
  );
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  for (const what of ['drop 2 is closed', 'yes Nobody has two masks', 'Everything adds up.'])
    expect(outcome.stdout).toContain(what);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
