/** A build is up to date while the hash of its inputs is the one stored beside it. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type BuildSource, ROOT } from './vite-config.ts';

const STAMP = '.build-stamp';
const INPUT_FOLDERS = ['web', 'console', 'mails', 'contract', 'scripts/build'];
const INPUT_FILES = ['scripts/build.ts', 'package-lock.json', 'brand/mail-shape.ts'];

export async function readStamp(outDir: string): Promise<string | null> {
  return await readFile(join(outDir, STAMP), 'utf8').catch(() => null);
}

/** Hash before building: a file that changes during the build must leave it stale. */
export async function hashInputs({ brandDir, mode }: BuildSource): Promise<string> {
  const hash = createHash('sha256').update(mode);
  for (const path of [
    ...(await listInputs([relative(ROOT, brandDir), ...INPUT_FOLDERS])),
    ...INPUT_FILES,
  ]) {
    hash.update(`\0${path}\0`).update(await readFile(join(ROOT, path)));
  }
  return hash.digest('hex');
}

export async function writeStamp(outDir: string, hash: string): Promise<void> {
  await writeFile(join(outDir, STAMP), hash);
}

async function listInputs(folders: readonly string[]): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const isInput = entry.isFile() && !/\.test\.tsx?$/.test(entry.name);
      if (isInput) paths.push(join(entry.parentPath, entry.name).slice(ROOT.length));
    }
  }
  return paths.sort();
}
