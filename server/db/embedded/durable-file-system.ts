import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
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
  /** Each call of the system goes through this. */
  tryFSOperation<T>(operation: () => T): T;
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
};

/** What every database has. */
const PARTS = ['PG_VERSION', 'global', 'base', 'pg_wal'];
/** Files that are open stay readable and writable, so nothing may fail for a while. */
const LOOK_EVERY_MS = 2_000;

/**
 * PGlite's folder on disk, with an fsync that reaches the disk. As shipped, its runtime has none,
 * and a power cut loses acknowledged commits. Ends the process when the folder is deleted: commits
 * would go nowhere, and the engine would loop for ever in reporting that a file is missing.
 */
export class DurableFileSystem extends NodeFS {
  #wasWhole = false;
  #watch: NodeJS.Timeout | undefined;

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    this.#look();
    this.#watch = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    const makeSyncReal: NonNullable<typeof emscriptenOpts.preRun>[number] = (runtime) => {
      const nodeFs = runtime.NODEFS as unknown as NodeFsRuntime;
      const attempt = nodeFs.tryFSOperation;
      nodeFs.tryFSOperation = (operation) => {
        try {
          return attempt(operation);
        } catch (error) {
          this.#look();
          throw error;
        }
      };
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

  override async closeFs(): Promise<void> {
    clearInterval(this.#watch);
    await super.closeFs();
  }

  /** A database that is being created has no parts yet. */
  #look(): void {
    const isWhole = PARTS.every((part) => existsSync(join(this.rootDir, part)));
    if (this.#wasWhole && !isWhole)
      abortProcess(`${this.rootDir} was deleted under the server, so the server stops.`);
    this.#wasWhole = isWhole;
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
