import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { openTerminal } from '../../terminal.ts';

/** PGlite's -F turns fsync off, and fdatasync does nothing in its runtime. */
export const durableStartParams: string[] = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...[
    'fsync=on',
    'wal_sync_method=fsync',
    'full_page_writes=on',
    'synchronous_commit=on',
    'shared_buffers=64MB', // Few buffers make checkpoints short (decision 0058).
  ].flatMap((setting) => ['-c', setting]),
];

type NodeFsRuntime = {
  realPath(node: unknown): string;
  tryFSOperation<T>(operation: () => T): T;
  stream_ops: { fsync?: (stream: { nfd?: number; node: unknown }) => number };
};

const DATABASE_PARTS = ['PG_VERSION', 'global', 'base', 'pg_wal'];
/** Open files of a deleted folder stay writable, so no error shows the deletion. */
const LOOK_EVERY_MS = 2_000;

/** PGlite's runtime has no fsync, and would loop for ever over a deleted folder. */
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
        try {
          if (stream.nfd === undefined) syncPath(nodeFs.realPath(stream.node));
          else fsyncSync(stream.nfd);
        } catch (error) {
          abortUnsynced(error);
        }
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

  /** PGlite leaves the file system of a failed start open. */
  stopWatching(): void {
    clearInterval(this.#watch);
  }

  override async closeFs(): Promise<void> {
    this.stopWatching();
    await super.closeFs();
  }

  #look(): void {
    const isNowWhole = isWhole(this.rootDir);
    if (this.#wasWhole && !isNowWhole)
      abortProcess(`${this.rootDir} was deleted under the server, so the server stops.`);
    this.#wasWhole = isNowWhole;
  }
}

/** PGlite would make a new database in a folder that lacks some of it. */
export function isWhole(databaseDir: string): boolean {
  return DATABASE_PARTS.every((part) => existsSync(join(databaseDir, part)));
}

export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Nothing under way is acknowledged, and the next start recovers from the write-ahead log. */
export function abortProcess(sentence: string): never {
  openTerminal().fatal(sentence);
  process.exit(1);
}

/** A second fsync may succeed although data is lost, so the process ends inside the commit. */
export function abortUnsynced(error: unknown): never {
  abortProcess(`The disk refused to make data durable, so the server stops: ${error}`);
}
