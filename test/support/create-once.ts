/**
 * Creating an embedded database takes seconds of a processor, and its files are always the same:
 * the setup of a run creates one, and tests in the process of a worker copy its files. A server of
 * its own process creates as shipped.
 */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { cpSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { inject } from 'vitest';

type Fork = (program: string, words: readonly string[], options: object) => EventEmitter;

const created = inject('createdDatabase');
const { fork } = childProcess as { fork: Fork };

// Vitest runs this again for each test file of a worker.
if (fork.name !== 'forkOrCopy') {
  const forkOrCopy: Fork = (program, words, options) => {
    if (!program.endsWith('/create-embedded-main.ts')) return fork(program, words, options);
    cpSync(created, words[0] ?? '', { recursive: true });
    const child = Object.assign(new EventEmitter(), { stderr: null });
    setImmediate(() => child.emit('close', 0));
    return child;
  };
  Object.assign(childProcess, { fork: forkOrCopy });
  syncBuiltinESMExports();
}
