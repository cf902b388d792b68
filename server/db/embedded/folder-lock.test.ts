import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { provideFolder } from '../../../test/support/provide-folder.ts';
import { ensureFolder, lockFolder } from './folder-lock.ts';

const LOCK_MODULE = new URL('./folder-lock.ts', import.meta.url).href;
const pathOf = provideFolder();
let dataDir: string;

beforeEach(() => {
  dataDir = pathOf();
});

async function lockInAnotherProcess() {
  const program = `const { lockFolder } = await import(${JSON.stringify(LOCK_MODULE)});
    lockFolder(${JSON.stringify(dataDir)}); console.log('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('the lock of a data folder', () => {
  test('keeps a second process off, and is free the moment the first one is killed', async () => {
    const other = await lockInAnotherProcess();
    expect(() => lockFolder(dataDir)).toThrow(
      `The data folder ${dataDir} is in use by another running server: stop that one first.`,
    );
    await other.kill();
    lockFolder(dataDir).release();
  });

  test('is free again after it was released', () => {
    lockFolder(dataDir).release();
    const second = lockFolder(dataDir);
    expect(() => lockFolder(dataDir)).toThrow('is in use');
    second.release();
  });

  test('does not travel with a copy of the folder', async () => {
    const other = await lockInAnotherProcess();
    const copy = join(dataDir, 'copy');
    cpSync(join(dataDir, 'lock'), join(copy, 'lock'), { recursive: true });
    lockFolder(copy).release();
    await other.kill();
  });
});

describe('a data folder', () => {
  test('is made with the folders above it, open to its owner alone', () => {
    const made = join(dataDir, 'with a space', 'data');
    ensureFolder(made);
    expect(statSync(made).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['data', 0o720],
    ['data', 0o702],
    ['data/database', 0o777],
  ])('whose part %s has the mode %o is refused, with the command to fix it', (part, mode) => {
    const folder = join(dataDir, 'data');
    mkdirSync(join(folder, 'database'), { recursive: true, mode: 0o700 });
    chmodSync(join(dataDir, part), mode);
    expect(() => ensureFolder(folder)).toThrow(
      `Others can write to the data folder ${folder}. Run: chmod -R go-w "${folder}"`,
    );
    chmodSync(join(dataDir, part), mode & ~0o022);
    ensureFolder(folder);
  });

  test.each([
    ['is a file', (file: string) => file],
    ['lies below a file', (file: string) => join(file, 'data')],
  ])('that %s is refused with one sentence', (_, pathOf) => {
    const file = join(dataDir, 'file');
    writeFileSync(file, '');
    const path = pathOf(file);
    expect(() => ensureFolder(path)).toThrow(
      `The data folder ${path} cannot be used: it is not a folder.`,
    );
  });

  test.skipIf(!existsSync('/proc/self'))('below /proc is refused at once', () => {
    expect(() => ensureFolder('/proc/waitlist/data')).toThrow(
      'The data folder /proc/waitlist/data cannot be used: no folder can be made there.',
    );
  });

  test('with a database that this user cannot read is refused', () => {
    writeFileSync(join(dataDir, 'database'), '');
    expect(() => ensureFolder(dataDir)).toThrow(`The data folder ${dataDir} cannot be used: `);
  });
});
