/** The whole rehearsal, on the smallest line and without pauses. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/own-server.ts';
import { runProgram } from '../../test/support/run-program.ts';
import { QUICK_START } from '../../test/support/server-process.ts';

const REHEARSE = fileURLToPath(new URL('rehearse.ts', import.meta.url));
const SITE_DIR = fileURLToPath(new URL('../../dist', import.meta.url));

test('a drop is rehearsed to its end, and adds up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-rehearsal-test-'));
  const words = ['--members', '200', '--minutes', '0', '--report', join(folder, 'report')];
  const settings = { TMPDIR: folder, PORT: String(await freePort()), SITE_DIR };
  const outcome = await runProgram(
    [process.execPath, ...QUICK_START, REHEARSE, ...words],
    settings,
  );
  expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  expect(outcome.stdout).toContain('Everything adds up.');
  const report = readFileSync(join(folder, 'report', 'report.md'), 'utf8');
  for (const what of [
    '| Medium | 34 |',
    '| offer-reminder |',
    'drop 2 is closed',
    'Night in Tokyo',
  ])
    expect(report).toContain(what);
  expect(readdirSync(join(folder, 'report', 'mails')).length).toBeGreaterThan(200);
  expect(readdirSync(folder)).toEqual(['report']);
  rmSync(folder, { recursive: true });
});
