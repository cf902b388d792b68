import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { ScheduledWork } from '../scheduled-work.ts';
import { isBeingCopied } from './base-backup.ts';

const CHECK_EVERY_MS = 10_000;

type Schedule = {
  /** How long to wait when little was written. */
  readonly everyMs: number;
  /** How much written brings it forward. */
  readonly afterBytes: number;
};

/** Bounds the disk that the log takes, and the time that recovery takes. */
const CHECKPOINT: Schedule = { everyMs: 5 * 60_000, afterBytes: 128 * 1024 * 1024 };
const VACUUM: Schedule = { everyMs: 60 * 60_000, afterBytes: 1024 * 1024 * 1024 };
/** What the two write about themselves: less than this is an idle server, which is left idle. */
const IDLE_BYTES = 64 * 1024;

/**
 * Does for the embedded engine what PostgreSQL's checkpointer and autovacuum would do, when the
 * length of its write-ahead log says that enough was written since.
 */
export function openUpkeep(
  database: Database,
  now: () => number = () => performance.now(),
): ScheduledWork {
  const checkpoint = openTask(CHECKPOINT, () => sql`checkpoint`.execute(database.kysely));
  const vacuum = openTask(VACUUM, () => sql`vacuum (analyze)`.execute(database.kysely));

  function openTask(
    schedule: Schedule,
    perform: () => Promise<unknown>,
  ): { runWhenDue(): Promise<void> } {
    let lastAt = now();
    let lastBytes: number | null = null;
    return {
      async runWhenDue() {
        const length = await readLogLength(database);
        lastBytes ??= length;
        const written = length - lastBytes;
        const isDue =
          written >= schedule.afterBytes ||
          (written >= IDLE_BYTES && now() - lastAt >= schedule.everyMs);
        if (!isDue) return;
        await perform();
        lastAt = now();
        lastBytes = await readLogLength(database);
      },
    };
  }

  return {
    name: 'embedded upkeep',
    everyMs: CHECK_EVERY_MS,
    async run() {
      if (isBeingCopied(database)) return;
      await vacuum.runWhenDue();
      await checkpoint.runWhenDue();
    },
  };
}

/** Bytes ever written to the write-ahead log. */
async function readLogLength(database: Database): Promise<number> {
  const { rows } = await sql<{ length: number }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as length`.execute(
    database.kysely,
  );
  return rows[0]?.length ?? 0;
}
