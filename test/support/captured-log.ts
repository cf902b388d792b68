import { Writable } from 'node:stream';
import { type Level, type Logger, pino } from 'pino';

/** A log for a test to read; `text` returns all of it so far. */
export function captureLog(level: Level = 'trace'): { logger: Logger; text: () => string } {
  let text = '';
  const lines = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { logger: pino({ level }, lines), text: () => text };
}
