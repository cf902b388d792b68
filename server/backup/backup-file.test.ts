import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { provideFolder } from '../../test/support/provide-folder.ts';
import { BackupError, checkBackupFile, readBackupLines } from './backup-file.ts';

const pathOf = provideFolder();

test('a folder, a path below a file and a name too long are refused with the reason', async () => {
  const file = pathOf('a file');
  writeFileSync(file, '');
  for (const [path, reason] of [
    [pathOf(), 'cannot be read: it is a folder.'],
    [pathOf('a file', 'below'), 'cannot be read: it is not a folder.'],
    [pathOf('x'.repeat(300)), 'cannot be read: its name is too long.'],
    [pathOf('none'), 'does not exist.'],
  ] as const)
    await expect(checkBackupFile(path)).rejects.toThrow(new BackupError(`${path} ${reason}`));
});

test.each([
  ['are not compressed', Buffer.from('lines of a person')],
  ['end too soon', gzipSync('#backup {}\n').subarray(0, -4)],
])('a file with the right checksum whose lines %s is damaged', async (_, lines) => {
  const path = pathOf('made-up.backup');
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
