import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { provideFolder } from '../../../test/support/provide-folder.ts';
import { isBeingCopied, openBaseBackup, takeBaseBackup } from './base-backup.ts';

const pathOf = provideFolder();
let source: TestDatabase;
beforeEach(async () => {
  source = await openTestDatabase('embedded');
  await source.database.runSql(`insert into mail_suppression values ('before', 'bounced')`);
});
afterEach(() => source.close());

const copy = () =>
  takeBaseBackup(source.database, { dataDir: source.dataDir, targetDir: pathOf('copy') });

test('a copy has every commit since the last checkpoint, even one during the copy', async () => {
  const copying = copy();
  expect(isBeingCopied(source.database)).toBe(true);
  await source.database.runSql(`insert into mail_suppression values ('during', 'bounced')`);
  const position = await copying;
  expect(isBeingCopied(source.database)).toBe(false);
  const opened = await openBaseBackup(pathOf('copy'), position);
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
  await expect(openBaseBackup(pathOf('copy'), 'FF/0')).rejects.toThrow(
    'The copy of the database did not reach FF/0.',
  );
});
