import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runProgram } from '../../test/support/run-program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a development build draws every state of the pages, and those of mails', async () => {
  const words = [process.execPath, 'scripts/build.ts', '--development'];
  const { exitCode, stderr } = await runProgram(words, {}, { cwd: ROOT });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const page = readFileSync(join(ROOT, '.cache/dev-site/site/dev/ui'), 'utf8');
  expect(page.match(/<figure>/g)?.length).toBeGreaterThan(50);
});
