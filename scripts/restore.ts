/** `npm run restore -- <file>`: into an empty data folder or the empty database of DATABASE_URL. */
import { resolve } from 'node:path';
import { restoreBackup } from '../server/backup/restore-backup.ts';
import { OperatorError, readSettings, reportFailure } from './operator/call-operator.ts';

try {
  const [path, ...others] = process.argv.slice(2);
  if (path === undefined || others.length > 0 || path.startsWith('-'))
    throw new OperatorError('Usage: npm run restore -- <file>');
  const config = readSettings();
  const { takenAt, members, mails } = await restoreBackup(config, {
    path: resolve(path),
    log: console.log,
  });
  const place = config.databaseUrl === null ? config.dataDir : 'PostgreSQL';
  console.log(
    `Restored ${members} members and ${mails} waiting mails of ${takenAt} into ${place}.`,
  );
  console.log('Check the line with npm run verify, then start the server with npm start.');
} catch (error) {
  reportFailure(error);
}
