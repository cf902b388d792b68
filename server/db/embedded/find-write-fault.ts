import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The size of one file of the write-ahead log. */
const CHECK_BYTES = 16 * 1024 * 1024;

/** Returns why the engine could not write to the disk of this folder; null if it can. */
export async function findWriteFault(folder: string): Promise<unknown> {
  const path = join(folder, 'write-check');
  try {
    await writeFile(path, Buffer.alloc(CHECK_BYTES), { flush: true });
    return null;
  } catch (error) {
    return error;
  } finally {
    await rm(path, { force: true });
  }
}
