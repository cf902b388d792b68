/** Writes `.br` and `.gz` files beside every compressible asset. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE = /\.(js|css|svg|json|webmanifest|txt|ico|map)$/;

export async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((one) => COMPRESSIBLE.test(one))) {
    const path = join(folder, name);
    const bytes = await readFile(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
    await writeFile(
      `${path}.gz`,
      await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
    );
  }
}
