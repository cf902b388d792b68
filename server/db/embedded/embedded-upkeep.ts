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
/** What the two write about themselves. A server that writes less is idle, and is left alone. */
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
  const vacuum = openTask(VACUUM, () => vacuumTables(database));

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

/**
 * Table by table, so that joins wait for one and not for all, and only those in which as much has
 * changed as autovacuum asks for.
 */
async function vacuumTables({ kysely }: Database): Promise<void> {
  await sql`select pg_stat_force_next_flush()`.execute(kysely);
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, stat.relname) as name
    from pg_stat_all_tables stat join pg_class on pg_class.oid = relid
    where relpersistence = 'p' and relkind = 'r' and (
      n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
      or n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)
      or n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0)
      or age(relfrozenxid) > 150000000)`.execute(kysely);
  for (const { name } of rows) {
    // Without a limit of buffers: within the default of 2 MB it waits ten times as often for the
    // disk, and nobody else's buffers are to be spared.
    await sql`vacuum (buffer_usage_limit 0) ${sql.raw(name)}`.execute(kysely);
    await kysely.transaction().execute(async (transaction) => {
      // The default, ten times as large a sample, takes half a second at a million members.
      await sql`set local default_statistics_target = 10`.execute(transaction);
      await sql`analyze ${sql.raw(name)}`.execute(transaction);
    });
  }
}

/** Bytes ever written to the write-ahead log. */
async function readLogLength(database: Database): Promise<number> {
  const { rows } = await sql<{ length: number }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as length`.execute(
    database.kysely,
  );
  return rows[0]?.length ?? 0;
}
