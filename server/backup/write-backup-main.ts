import { writeFromCopy } from './embedded-copy.ts';
import { type BackupTask, writeBackup } from './write-backup.ts';

await writeFromCopy<BackupTask>((copy, { secretKey }) => writeBackup(copy, secretKey));
