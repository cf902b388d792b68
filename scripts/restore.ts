/** `npm run restore -- <file>`: a backup into an empty data folder, or into the empty PostgreSQL database of DATABASE_URL. */
import { resolve } from 'node:path';
import { restoreBackup } from '../server/backup/restore-backup.ts';
import { OperatorError, readSettings, reportFailure } from './operator/call-operator.ts';

try {
  const [path, ...others] = process.argv.slice(2);
  if (path === undefined || others.length > 0 || path.startsWith('-'))
    throw new OperatorError('Usage: npm run restore -- <file>');
  const config = readSettings();
  const { takenAt, members, mails } = await restoreBackup(config, { path: resolve(path), log: console.log });
  const place = config.databaseUrl === null ? config.dataDir : 'PostgreSQL';
  console.log(`${members} members and ${mails} waiting mails of ${takenAt} are in ${place}.`);
  console.log('Check them with: npm run verify. Then: npm start');
} catch (error) {
  reportFailure(error);
}
