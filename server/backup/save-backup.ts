import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncPath } from '../db/embedded/durable-file-system.ts';
import { readBackupCounts } from './restore-backup.ts';

type Bytes = AsyncIterable<Buffer>;

/** The file, readable by its owner only, gets its name after it was read back successfully. */
export async function saveBackup(path: string, openBytes: () => Bytes | Promise<Bytes>) {
  const unfinished = `${path}.unfinished`;
  await rm(unfinished, { force: true });
  // The file is opened before the call, because the server makes one backup at a time.
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await pipeline(await openBytes(), file.createWriteStream({ flush: true }));
    const counts = await readBackupCounts(unfinished);
    await rename(unfinished, path);
    syncPath(dirname(path));
    return counts;
  } finally {
    await file.close();
    await rm(unfinished, { force: true });
  }
}
