import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { abortProcess } from './durable-file-system.ts';

const TABLES_FOLDER = 'base';

/**
 * Returns a function that syncs, in the background, the table files written since its last call.
 * The checkpoint after it, for which everybody waits, finds less to do.
 * Only a head start: the checkpoint syncs every file itself, and alone decides what is durable.
 */
export function openSyncAhead(databaseDir: string): () => Promise<void> {
  let syncedAt = 0;
  return async () => {
    const since = syncedAt;
    syncedAt = Date.now();
    const tables = join(databaseDir, TABLES_FOLDER);
    const entries = await readdir(tables, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const file = await stat(path).catch(ignoreMissing);
      if (file !== null && file.mtimeMs >= since) await syncFile(path);
    }
  };
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r').catch(ignoreMissing);
  await file?.sync().catch(abortUnsynced);
  await file?.close();
}

/** Linux may report lost data only once: if it does here, the checkpoint would not notice. */
function abortUnsynced(error: unknown): never {
  abortProcess(`The disk refused to make data durable, so the server stops: ${error}`);
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
