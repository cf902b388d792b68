/** Settings are read from the program's folder, files from the folder of the call. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reasonOf } from '../../server/startup-error.ts';
import { UsageError } from './values.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const calledFrom = process.cwd();

export function enterProgramFolder(): void {
  process.chdir(ROOT);
}

export function pathOf(file: string): string {
  return resolve(calledFrom, file);
}

export async function readGivenFile(file: string): Promise<string> {
  return await readFile(pathOf(file), 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
}

export function unreadable(file: string, error: unknown): UsageError {
  return new UsageError(`${file} cannot be read: ${reasonOf(error)}.`);
}
