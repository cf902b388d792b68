import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createMigratedPlace } from '../../../test/support/engines.ts';
import { isShort } from './low-memory-wasm.ts';

const run = promisify(execFile);
const MEGABYTE = 1024 ** 2;

test.each([
  [512, 0, true],
  [2048, 0, false],
  [2048, 512, true],
  [2048, 2048, false],
  [2048, 2 ** 44, false],
  [512, 2 ** 44, true],
])('of %i MB of which %i are allowed: short is %s', (total, allowed, expected) => {
  expect(isShort(total * MEGABYTE, allowed * MEGABYTE)).toBe(expected);
});

const OPTIMISING_MS = 2_000;

/** Opens a database as on a machine of 512 MB, and prints its peak of memory in bytes. */
const OPEN = `
  const [, dataDir, moduleUrl] = process.argv;
  process.constrainedMemory = () => 512 * 1024 ** 2;
  const { openDatabase } = await import(moduleUrl);
  const database = await openDatabase({ dataDir, databaseUrl: null, log() {} });
  for (let round = 0; round < 200; round += 1)
    await database.runSql(
      'select sum(n * n), count(distinct n % 7) from generate_series(1, 2000) n',
    );
  // Unlimited, other threads optimise meanwhile: their peak is what is measured.
  await new Promise((resolve) => setTimeout(resolve, ${OPTIMISING_MS}));
  await database.close();
  // Not maxRSS, which is inherited from the process that forked this one.
  const { readFileSync } = await import('node:fs');
  const [, kilobytes] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  console.log(kilobytes * 1024);`;

test('the embedded engine fits into half a gigabyte where there is no more', async () => {
  const { dataDir, remove } = await createMigratedPlace('embedded');
  const moduleUrl = String(new URL('../open.ts', import.meta.url));
  const { stdout } = await run(process.execPath, [
    '--input-type=module',
    '-e',
    OPEN,
    dataDir,
    moduleUrl,
  ]);
  await remove();
  expect(Number(stdout)).toBeLessThan(400 * MEGABYTE);
});
