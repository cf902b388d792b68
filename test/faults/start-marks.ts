/**
 * Preloaded into a server: appends to the file START_MARKS when a part of its start begins, one
 * line of JSON each, with the time in fsync until then.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

export type StartMark = {
  readonly part: 'engine' | 'recovery' | 'rest';
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly fsyncMs: number;
};

const file = process.env.START_MARKS ?? '';
const marked = new Set<StartMark['part']>();
let fsyncMs = 0;

function mark(part: StartMark['part']): void {
  if (marked.has(part)) return;
  marked.add(part);
  const at = performance.timeOrigin + performance.now();
  fs.appendFileSync(file, `${JSON.stringify({ part, at, fsyncMs } satisfies StartMark)}\n`);
}

const { fsyncSync } = fs;
fs.fsyncSync = (descriptor) => {
  const since = performance.now();
  fsyncSync(descriptor);
  fsyncMs += performance.now() - since;
};
syncBuiltinESMExports();

const { init } = NodeFS.prototype;
NodeFS.prototype.init = function (...args) {
  mark('engine');
  return init.apply(this, args);
};

const { instantiate } = WebAssembly;
WebAssembly.instantiate = (async (...args: Parameters<typeof instantiate>) => {
  const instance = await instantiate(...args);
  if (marked.has('engine')) mark('recovery');
  return instance;
}) as typeof instantiate;

const { execProtocolStream } = PGlite.prototype;
PGlite.prototype.execProtocolStream = function (...args) {
  mark('rest');
  return execProtocolStream.apply(this, args);
};
