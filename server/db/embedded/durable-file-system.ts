import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/**
 * Few, so that a checkpoint, for which everybody waits, has few pages to write: decision 0058. What
 * is not in them is in the system's cache.
 */
const BUFFERS = '16MB';

/** PGlite's arguments without -F, which turns fsync off. fdatasync does nothing in its runtime. */
export const durableStartParams: string[] = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...[
    'fsync=on',
    'wal_sync_method=fsync',
    'full_page_writes=on',
    'synchronous_commit=on',
    `shared_buffers=${BUFFERS}`,
  ].flatMap((setting) => ['-c', setting]),
];

/** The parts of the runtime's NODEFS used here; PGlite types it as a file system only. */
type NodeFsRuntime = {
  realPath(node: unknown): string;
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
};

/**
 * PGlite's folder on disk, with an fsync that reaches the disk. As shipped, its runtime has none,
 * and a power cut loses acknowledged commits.
 */
export class DurableFileSystem extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const makeSyncReal: NonNullable<typeof emscriptenOpts.preRun>[number] = (runtime) => {
      const nodeFs = runtime.NODEFS as unknown as NodeFsRuntime;
      nodeFs.stream_ops.fsync = (stream) => {
        syncOrAbort(() =>
          stream.nfd === undefined ? syncPath(nodeFs.realPath(stream.node)) : fsyncSync(stream.nfd),
        );
        return 0;
      };
    };
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        preRun: [...(emscriptenOpts.preRun ?? []), makeSyncReal],
      },
    };
  }
}

/** Makes a file, or the list of names in a folder, durable. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Ends the process at once, when the database can no longer be trusted: nothing under way is
 * acknowledged, and the next start recovers from the write-ahead log. Writes synchronously, as
 * nothing runs afterwards.
 */
export function abortProcess(sentence: string): never {
  writeSync(process.stderr.fd, `${sentence}\n`);
  process.exit(1);
}

/**
 * After a failed fsync nobody knows what is on disk, and a second one may succeed although data is
 * lost. So the process ends inside the commit: PostgreSQL's PANIC does not end anything in this
 * runtime.
 */
function syncOrAbort(sync: () => void): void {
  try {
    sync();
  } catch (error) {
    abortProcess(`The disk refused to make data durable, so the server stops: ${error}`);
  }
}
