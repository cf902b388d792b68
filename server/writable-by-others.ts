import { statSync } from 'node:fs';

const WRITE_BITS_OF_OTHERS = 0o022;

export function isWritableByOthers(path: string): boolean {
  if (process.platform === 'win32') return false;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & WRITE_BITS_OF_OTHERS) !== 0;
}
