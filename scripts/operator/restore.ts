/** `./waitlist restore`: into an empty data folder or the empty database of DATABASE_URL. */
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import type { Config } from '../../server/config.ts';
import { pathOf } from '../command-line/working-folder.ts';

export async function restore(config: Config, [file = '']: readonly string[]): Promise<void> {
  const { takenAt, members, mails } = await restoreBackup(config, {
    path: pathOf(file),
    log: console.log,
  });
  const place = config.databaseUrl === null ? config.dataDir : 'PostgreSQL';
  console.log(
    `Restored ${members} members and ${mails} waiting mails of ${takenAt} into ${place}.`,
  );
  console.log('Check the line with ./waitlist verify, then start the server with npm start.');
}
