/** Settings are read from the program's folder, files from the folder of the call. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { reasonOf } from '../../server/startup-error.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const calledFrom = process.cwd();

export function enterProgramFolder(): void {
  process.chdir(ROOT);
}

export function pathOf(file: string): string {
  return resolve(calledFrom, file);
}

/** `-` is the standard input: keys are no arguments, which other programs see. */
export function readGivenFile(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : pathOf(file));
  } catch (error) {
    throw new InvalidArgumentError(`${file} cannot be read: ${reasonOf(error)}.`);
  }
}
