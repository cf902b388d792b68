import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BackupError, checkBackupFile, readBackupLines } from './backup-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a folder, a path below a file and a name too long are refused with the reason', async () => {
  const file = join(folder, 'a file');
  writeFileSync(file, '');
  for (const [path, reason] of [
    [folder, 'cannot be read: it is a folder.'],
    [join(file, 'below'), 'cannot be read: it is not a folder.'],
    [join(folder, 'x'.repeat(300)), 'cannot be read: its name is too long.'],
    [join(folder, 'none'), 'does not exist.'],
  ] as const)
    await expect(checkBackupFile(path)).rejects.toThrow(new BackupError(`${path} ${reason}`));
});

test.each([
  ['are not compressed', Buffer.from('lines of a person')],
  ['end too soon', gzipSync('#backup {}\n').subarray(0, -4)],
])('a file with the right checksum whose lines %s is damaged', async (_, lines) => {
  const path = join(folder, 'made-up.backup');
  const bytes = Buffer.concat([Buffer.from('waitlist-backup 1\n'), lines]);
  writeFileSync(path, Buffer.concat([bytes, createHash('sha256').update(bytes).digest()]));
  await checkBackupFile(path);
  const read = async () => {
    for await (const { word } of readBackupLines(path)) expect(word).toBe('#backup');
  };
  await expect(read()).rejects.toThrow(
    new BackupError(`${path} is damaged: it was cut short or altered.`),
  );
});
