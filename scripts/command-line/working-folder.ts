/**
 * Settings are those of `npm start`: `.env` and `./data` are in the folder of the program. Files
 * are named as seen from the folder where the command was called.
 */
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
