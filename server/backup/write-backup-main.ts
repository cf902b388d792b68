/** The process that writes the backup of a copy; see online-backup.ts. */
import { writeFromCopy } from './embedded-copy.ts';
import type { BackupTask } from './online-backup.ts';
import { writeBackup } from './write-backup.ts';

await writeFromCopy<BackupTask>((copy, { secretKey }) => writeBackup(copy, secretKey));
