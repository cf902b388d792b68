import { closeSync, fsyncSync, openSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { endProcess } from './end-process.ts';

/** PostgreSQL's default of 128 MB costs 70 MB more of resident memory; what does not fit, the system's cache still serves. */
const BUFFERS = '64MB';

/** PGlite's own arguments without -F (which turns fsync off). fdatasync does nothing in its runtime, so WAL needs fsync. */
export const durableStartParams: string[] = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync', '-c', 'full_page_writes=on', '-c', 'synchronous_commit=on'],
  ...['-c', `shared_buffers=${BUFFERS}`],
];

/** The parts of the runtime's NODEFS that are used here; PGlite types it no further than a file system. */
type NodeFsRuntime = {
  realPath(node: unknown): string;
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
};

/**
 * PGlite's folder on disk with an fsync that reaches the disk. As shipped, its runtime has none: PostgreSQL asks for
 * it, is told "done", and a power cut loses acknowledged commits.
 */
export class DurableFileSystem extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const makeSyncReal: NonNullable<typeof emscriptenOpts.preRun>[number] = (runtime) => {
      const nodeFs = runtime.NODEFS as unknown as NodeFsRuntime;
      nodeFs.stream_ops.fsync = (stream) => {
        syncOrEnd(() => (stream.nfd === undefined ? syncPath(nodeFs.realPath(stream.node)) : fsyncSync(stream.nfd)));
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), makeSyncReal] } };
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
 * After a failed fsync nobody knows what is on disk, and asking again may be answered "done" although the data is
 * gone. So the process ends inside the commit that asked. (An errno to PostgreSQL instead would be only as good as its
 * PANIC, which does not end anything in this runtime.)
 */
function syncOrEnd(sync: () => void): void {
  try {
    sync();
  } catch (error) {
    endProcess(`The disk refused to make data durable, so the server stops: ${error}`);
  }
}
