/** The process that reads a copy of the embedded database and writes the backup to its standard output; see take-backup.ts. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openCopy } from '../db/copy-embedded.ts';
import { spareMemory } from '../db/spare-memory.ts';
import { sealBackup } from './backup-file.ts';
import type { CopyTask } from './take-backup.ts';
import { writeBackup } from './write-backup.ts';

// The server that asked is gone: nobody will read what this writes.
process.on('disconnect', () => process.exit(1));

spareMemory(); // on every machine: there is a server beside, and it saves half a second at 100,000 members not to
const [{ copyDir, end, secretKey }] = (await once(process, 'message')) as [CopyTask];
const database = await openCopy(copyDir, end);
await pipeline(Readable.from(sealBackup(writeBackup(database, { secretKey, now: new Date() }))), process.stdout);
process.exit(0);
