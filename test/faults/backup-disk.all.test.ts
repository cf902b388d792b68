/** Backups without enough disk space: refused with a message, and no file is left. */

import {
  existsSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { backUpBeforeUpgrade } from '../../server/backup/back-up-before-upgrade.ts';
import { checkBackupFile } from '../../server/backup/backup-file.ts';
import { openDatabase } from '../../server/db/open.ts';
import { createMigratedPlace, engines } from '../support/engines.ts';
import { provideFolder } from '../support/provide-folder.ts';
import { seedLine } from '../support/seed-line.ts';
import { runCommand } from './backup-commands.ts';
import { joinOverHttp } from './join-load.ts';
import { createMachine, type Machine } from './machine.ts';
import { createDisk, type Disk, fillDisk } from './power-cut-disk.ts';

const MEMBERS = 500;
/** Less than a backup needs. */
const SPACE_BYTES = 12 * 1024;
/** A new server and the copy for its backup have room on it. */
const DISK_MB = 300;
/** Less than must be free for the copy. */
const NO_COPY_BYTES = 60 * 1024 * 1024;

let disk: Disk;
let machine: Machine | undefined;
const pathOf = provideFolder();
afterEach(async () => {
  await machine?.remove();
  machine = undefined;
  disk.remove();
});

test.each(engines)(
  'a backup of %s onto a full disk is refused and leaves no file',
  async (engine) => {
    disk = createDisk(16);
    const place = await createMigratedPlace(engine);
    await seedLine(place, MEMBERS);
    writeFileSync(join(place.dataDir, 'secret-key'), `${'s'.repeat(43)}\n`, { mode: 0o600 });
    const ballast = join(disk.folder, 'ballast');
    fillDisk(ballast);
    truncateSync(ballast, statSync(ballast).size - SPACE_BYTES);
    const before = readdirSync(disk.folder);
    const file = join(disk.folder, 'line.backup');
    expect(await runCommand('backup', place, file)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `${file} was not written: its disk is full.\n`,
    });
    expect(readdirSync(disk.folder)).toEqual(before);
    rmSync(ballast);
    expect(await runCommand('backup', place, file)).toMatchObject({ exitCode: 0 });
    await checkBackupFile(file);
    expect(statSync(file).size).toBeGreaterThan(SPACE_BYTES);
    await place.remove();
  },
);

test('a server without space for the copy refuses a backup and goes on serving', async () => {
  disk = createDisk(DISK_MB);
  // The checkpoints of every moment, which this machine would make, end a copy that takes longer.
  const settings = { NODE_OPTIONS: process.env.NODE_OPTIONS ?? '' };
  machine = await createMachine('embedded', disk.folder, { settings });
  await machine.startServer();
  const file = pathOf('line.backup');
  const ballast = join(disk.folder, 'ballast');
  // A server whose disk is full for a moment may end.
  fillDisk(ballast, NO_COPY_BYTES);
  const { exitCode, stdout, stderr } = await runCommand('backup', machine, file);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^This needs \d+ MB free on the disk of [^\n]+\n$/);
  expect(readdirSync(pathOf())).toEqual([]);
  expect(existsSync(join(machine.dataDir, 'backup.unfinished'))).toBe(false);
  expect((await joinOverHttp(machine.url, 'ada@example.com', null)).status).toBe(201);
  rmSync(ballast);
  // The file system frees the room once its journal is written, and a moment later.
  disk.flush();
  await expect.poll(() => freeBytes(disk.folder)).toBeGreaterThan(2 * NO_COPY_BYTES);
  expect(await runCommand('backup', machine, file)).toMatchObject({ exitCode: 0, stderr: '' });
  await machine.stop();
});

test.each(engines)(
  'an upgrade of %s needs room for its backup, or says that it has none',
  async (engine) => {
    disk = createDisk(DISK_MB);
    const place = await createMigratedPlace(engine);
    await seedLine(place, MEMBERS);
    const database = await openDatabase({ ...place, log: () => {} });
    const config = { dataDir: disk.folder, secretKey: 's'.repeat(43) };
    const ballast = join(disk.folder, 'ballast');
    fillDisk(ballast);
    truncateSync(ballast, statSync(ballast).size - NO_COPY_BYTES / 10);
    const refused = backUpBeforeUpgrade(config, database);
    const reason = /before-upgrade\.backup could not be written: it needs \d+ MB free/;
    if (engine === 'embedded') await expect(refused).rejects.toThrow(reason);
    else expect(await refused).toMatch(reason);
    rmSync(ballast);
    disk.flush();
    expect(await backUpBeforeUpgrade(config, database)).toMatch(/^the backup of 2\S+Z, /);
    await database.close();
    await place.remove();
  },
);

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
