import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { QUICK_START } from '../test/support/server-process.ts';
import { isAll } from '../test/support/test-form.ts';

const SCRIPT = fileURLToPath(new URL('screenshots.ts', import.meta.url));

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-interrupted-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** `npm run screenshots` without a browser: it fails once its server is open. */
function takeScreenshots() {
  const settings = { TMPDIR: folder, CHROMIUM_PATH: join(folder, 'no browser') };
  const started = spawn(process.execPath, [...QUICK_START, SCRIPT], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  return started;
}

/** Resolves when the process and all that hold its output have ended. */
async function outcomeOf(running: ReturnType<typeof takeScreenshots>) {
  const [printed, complained] = [text(running.stdout), text(running.stderr)];
  const [exitCode] = (await once(running, 'close')) as [number | null];
  return { exitCode, output: (await printed) + (await complained) };
}

test.runIf(isAll)(
  'screenshots that fail leave neither their server nor its data behind',
  async () => {
    const { exitCode, output } = await outcomeOf(takeScreenshots());
    expect(exitCode).toBe(1);
    expect(output).toContain(' is open at ');
    expect(output).toContain('need Chromium');
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('screenshots that are interrupted during the start leave nothing behind', async () => {
  const running = takeScreenshots();
  const outcome = outcomeOf(running);
  await expect.poll(() => readdirSync(folder)).toHaveLength(1);
  running.kill('SIGINT');
  expect(await outcome).toMatchObject({ exitCode: 1 });
  expect(readdirSync(folder)).toEqual([]);
});
