/** The file ./waitlist at the root, among stand-ins for Node and the scripts. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const EXECUTABLE = fileURLToPath(new URL('../../waitlist', import.meta.url));

let folder: string;
let root: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'waitlist-executable-')));
  root = join(folder, 'the program');
  for (const path of ['bin', 'the program/node_modules/.bin', 'elsewhere'])
    mkdirSync(join(folder, path), { recursive: true });
  copyFileSync(EXECUTABLE, join(root, 'waitlist'));
  for (const name of ['package-lock.json', 'node_modules/.package-lock.json'])
    writeFileSync(join(root, name), '');
  addProgram(join(root, 'node_modules/.bin/node'), 'echo pinned "$@"');
  addProgram(join(folder, 'bin/node'), 'echo system "$@"');
});
afterEach(() => rmSync(folder, { recursive: true }));

function addProgram(path: string, line: string): void {
  writeFileSync(path, `#!/bin/sh\n${line}\n`);
  chmodSync(path, 0o755);
}

/** Calls it from another folder, with the stand-in as the system's Node. */
function run(path: string, ...words: string[]) {
  const { stdout, stderr, status } = spawnSync(path, words, {
    cwd: join(folder, 'elsewhere'),
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  return { stdout, stderr, status };
}

const script = (name: string) => join(root, 'scripts', name);

test('it runs from any folder, and through links, with the Node that npm pins', () => {
  const link = join(folder, 'bin/line');
  symlinkSync('../the program/waitlist', link);
  const called = { stdout: `pinned ${script('waitlist.ts')} find a b\n`, stderr: '', status: 0 };
  expect(run(join(root, 'waitlist'), 'find', 'a b')).toEqual(called);
  expect(run(link, 'find', 'a b')).toEqual(called);
});

test('without a pinned Node it runs on that of the system', () => {
  rmSync(join(root, 'node_modules/.bin/node'));
  expect(run(join(root, 'waitlist'), 'counts').stdout).toBe(
    `system ${script('waitlist.ts')} counts\n`,
  );
});

test('where packages are missing or old they are installed first, and pipes do not see it', () => {
  const called = {
    stdout: `pinned ${script('waitlist.ts')} counts\n`,
    stderr: `system ${script('setup.mjs')}\n`,
    status: 0,
  };
  rmSync(join(root, 'node_modules/.package-lock.json'));
  expect(run(join(root, 'waitlist'), 'counts')).toEqual(called);
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '');
  expect(run(join(root, 'waitlist'), 'counts').stderr).toBe('');
  writeFileSync(join(root, 'node_modules/.setup-stamp'), '');
  utimesSync(join(root, 'node_modules/.setup-stamp'), 1, 1);
  expect(run(join(root, 'waitlist'), 'counts')).toEqual(called);
  expect(run(join(root, 'waitlist'), 'complete', '')).toEqual({
    stdout: '',
    stderr: '',
    status: 0,
  });
});

test('it uses the compiled code of npm start where it may write there', () => {
  addProgram(join(root, 'node_modules/.bin/node'), 'echo "$NODE_COMPILE_CACHE"');
  expect(run(join(root, 'waitlist')).stdout).toBe('\n');
  const compiled = join(root, '.cache/compiled');
  mkdirSync(compiled, { recursive: true });
  expect(run(join(root, 'waitlist')).stdout).toBe(`${compiled}\n`);
});

test('an installation that fails ends it', () => {
  rmSync(join(root, 'node_modules/.package-lock.json'));
  addProgram(join(folder, 'bin/node'), 'exit 3');
  expect(run(join(root, 'waitlist'), 'counts')).toEqual({ stdout: '', stderr: '', status: 3 });
});
