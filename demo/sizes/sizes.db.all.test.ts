import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../scripts/own-server.ts';
import { QUICK_START } from '../../test/support/server-process.ts';

const DEMO = fileURLToPath(new URL('../demo.ts', import.meta.url));
const START_PATIENCE_MS = 300_000;
const LINES = [
  { members: 800, seed: 'afterglow' },
  ...Array.from({ length: 5 }, (_, index) => ({
    members: 100 + 140 * index,
    seed: `seed ${index}`,
  })),
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-demo-sizes-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each(LINES)('a demo of $members members of $seed begins', async (line) => {
  const words = ['--members', String(line.members), '--seed', line.seed, '--no-browser'];
  const demo = spawn(process.execPath, [...QUICK_START, DEMO, ...words], {
    env: { ...process.env, TMPDIR: folder, PORT: String(await freePort()) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [demo.stdout, demo.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const ended = once(demo, 'exit');
  try {
    const isOver = () => output.includes('Ctrl-C ends') || demo.exitCode !== null;
    await vi.waitUntil(isOver, { timeout: START_PATIENCE_MS });
    expect(output).toContain('The demo is ready');
  } finally {
    demo.kill('SIGINT');
    await ended;
  }
});
