/** Settings are read from the program's folder, files from the folder of the call. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const calledFrom = process.cwd();

export function enterProgramFolder(): void {
  process.chdir(ROOT);
}

export function pathOf(file: string): string {
  return resolve(calledFrom, file);
}
