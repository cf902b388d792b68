import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unwritten } from './export.ts';

const path = join(tmpdir(), 'line.csv');
const faultOf = (code: string, refused?: string) =>
  Object.assign(new Error(code), { code, ...(refused !== undefined && { path: refused }) });

test.each([
  ['ENOENT', join(tmpdir(), 'no such folder', 'x'), 'does not exist. Make it, or name another'],
  ['ENOENT', path, 'takes no files. Name another'],
  ['EACCES', path, 'may not be written by this user. Change its owner, or name another'],
])('%s at %s is of its folder', (code, file, fault) => {
  for (const refused of [file, `${file}.unfinished`])
    expect(unwritten(file, faultOf(code, refused))).toMatchObject({
      message: `${file} was not written: the folder ${join(file, '..')} ${fault}.`,
    });
});

test('a full disk and a name that is too long are named', () => {
  for (const [code, reason] of [
    ['ENOSPC', 'its disk is full'],
    ['ENAMETOOLONG', 'its name is too long'],
  ] as const)
    expect(unwritten(path, faultOf(code))).toMatchObject({
      message: `${path} was not written: ${reason}.`,
    });
});

test('the fault of another file is not that of the output', () => {
  const fault = faultOf('EACCES', '/var/lib/waitlist/server.json');
  expect(unwritten(path, fault)).toBe(fault);
});
