/** The process that reads a base backup and writes the backup to stdout; see online-backup.ts. */
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { openBaseBackup } from '../db/embedded/base-backup.ts';
import { limitMemory } from '../db/embedded/low-memory-wasm.ts';
import type { ReadTask } from './online-backup.ts';
import { writeBackup } from './write-backup.ts';

// The server has ended: nobody reads the output.
process.on('disconnect', () => process.exit(1));

// On every machine: the server needs its memory, and reading once does not repay optimising.
limitMemory();
const [{ copyDir, position, secretKey }] = (await once(process, 'message')) as [ReadTask];
const database = await openBaseBackup(copyDir, position);
await pipeline(writeBackup(database, secretKey), process.stdout);
process.exit(0);
