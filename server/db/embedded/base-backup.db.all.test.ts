import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { isBeingCopied, openBaseBackup, takeBaseBackup } from './base-backup.ts';

let folder: string;
let source: TestDatabase;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-base-backup-'));
  source = await openTestDatabase('embedded');
  await source.database.runSql(`insert into mail_suppression values ('before', 'bounced')`);
});
afterEach(async () => {
  await source.close();
  rmSync(folder, { recursive: true });
});

const copy = () =>
  takeBaseBackup(source.database, { dataDir: source.dataDir, targetDir: join(folder, 'copy') });

test('a copy has every commit since the last checkpoint, even one during the copy', async () => {
  const copying = copy();
  expect(isBeingCopied(source.database)).toBe(true);
  await source.database.runSql(`insert into mail_suppression values ('during', 'bounced')`);
  const position = await copying;
  expect(isBeingCopied(source.database)).toBe(false);
  const opened = await openBaseBackup(join(folder, 'copy'), position);
  const { rows } = await opened.runSql('select address_hash from mail_suppression order by 1');
  expect(rows).toEqual([{ address_hash: 'before' }, { address_hash: 'during' }]);
  await opened.close();
});

test('a copy is refused when a checkpoint was made meanwhile', async () => {
  const copying = copy();
  await source.database.runSql('checkpoint');
  await expect(copying).rejects.toThrow('A checkpoint was made while the database was copied.');
  expect(isBeingCopied(source.database)).toBe(false);
});

test('a copy that does not reach its log position is refused', async () => {
  await copy();
  await expect(openBaseBackup(join(folder, 'copy'), 'FF/0')).rejects.toThrow(
    'The copy of the database did not reach FF/0.',
  );
});
