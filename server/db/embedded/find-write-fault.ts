import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, StartupError } from '../../startup-error.ts';

const CHECK_BYTES = 16 * 1024 * 1024;

export async function findWriteFault(folder: string): Promise<StartupError | null> {
  const path = join(folder, 'write-check');
  try {
    await writeFile(path, Buffer.alloc(CHECK_BYTES), { flush: true });
    return null;
  } catch (error) {
    return new StartupError(`No file can be written to ${folder}: ${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    await rm(path, { force: true });
  }
}
