import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unwritten } from './export.ts';

const path = join(tmpdir(), 'line.csv');
const faultOf = (code: string, refused?: string) =>
  Object.assign(new Error(code), { code, ...(refused !== undefined && { path: refused }) });

test.each([
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'it is not a folder'],
  ['EACCES', 'this user has no permission for it'],
  ['EROFS', 'its disk is read-only'],
])('%s is of its folder', (code, fault) => {
  for (const refused of [path, `${path}.unfinished`])
    expect(unwritten(path, faultOf(code, refused))).toMatchObject({
      message: `${path} was not written to the folder ${tmpdir()}: ${fault}.`,
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
