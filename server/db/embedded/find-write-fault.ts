import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHECK_BYTES = 16 * 1024 * 1024;

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
