import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deleteOldBackups, nameBackup } from './database.ts';

const DAY_MS = 86_400_000;
const NEWEST = Date.parse('2026-03-02T03:30:07.123Z');
const OTHERS = ['before-the-move.backup', 'waitlist-2025-01-01T03-30-00Z.backup.unfinished'];
const names = [0, 1, 2, 3].map((days) => nameBackup(new Date(NEWEST - days * DAY_MS)));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-names-'));
  for (const name of [...names, ...OTHERS]) writeFileSync(join(folder, name), '');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the last backups named after their time stay, and so does every other file', () => {
  expect(names[0]).toBe('waitlist-2026-03-02T03-30-07Z.backup');
  expect(deleteOldBackups(folder, 2)).toEqual(names.slice(2).reverse());
  expect(readdirSync(folder).sort()).toEqual([...names.slice(0, 2), ...OTHERS].sort());
});

test('nothing is deleted while there are no more backups than may stay', () => {
  expect(deleteOldBackups(folder, 4)).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(names.length + OTHERS.length);
});
