/** Backups into a folder that cannot hold them: refused in a sentence, and repeated at once. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../faults/backup-commands.ts';
import { defaultEngine } from '../support/engines.ts';
import { openOwnSite } from '../support/own-site.ts';

test.each(defaultEngine)(
  'a backup of %s into a missing folder says so, and works once the folder is there',
  async (engine) => {
    const site = await openOwnSite({}, engine);
    const folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-'));
    onTestFinished(async () => {
      await site.close();
      rmSync(folder, { recursive: true });
    });
    const backupDir = join(folder, 'backups');
    const backUp = () => runCommand('backup', { ...site.place, backupDir });
    const refusal = (reason: string) => ({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^${backupDir}/\\S+ was not written to the folder ${backupDir}: ${reason}\\.\\n$`,
        ),
      ),
    });

    writeFileSync(backupDir, 'a file');
    expect(await backUp()).toEqual(refusal('it is not a folder'));
    rmSync(backupDir);
    expect(await backUp()).toEqual(refusal('it does not exist'));
    mkdirSync(backupDir);
    expect(await backUp()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(backupDir)).toEqual([expect.stringMatching(/\.backup$/)]);
  },
);
