import { writeSync } from 'node:fs';

/**
 * Ends the process at once, for when the database can no longer be trusted to be asked: nothing that is under way is
 * acknowledged, and the next start recovers from the write-ahead log. Written synchronously, because nothing runs afterwards.
 */
export function endProcess(sentence: string): never {
  writeSync(process.stderr.fd, `${sentence}\n`);
  process.exit(1);
}
