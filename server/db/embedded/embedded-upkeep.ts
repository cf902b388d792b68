import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import { all, run, value } from '../rows.ts';
import { letOthersIn, type ScheduledWork } from '../scheduled-work.ts';
import type { Tables } from '../schema/tables.ts';
import { ignoreMissing, isBeingCopied } from './base-backup.ts';
import { embeddedFolder } from './create-embedded.ts';
import { abortUnsynced } from './durable-file-system.ts';

const CHECK_EVERY_MS = 10_000;

type Schedule = { readonly everyMs: number; readonly afterBytes: number };

/** Bounds the size of the log and the time of a recovery. */
const CHECKPOINT: Schedule = { everyMs: 5 * 60_000, afterBytes: 128 * 1024 * 1024 };
const VACUUM: Schedule = { everyMs: 60 * 60_000, afterBytes: 1024 * 1024 * 1024 };
/** Both tasks write a little themselves: a server that writes less is idle. */
const IDLE_BYTES = 64 * 1024;
/** Vacuuming a larger table, with its indexes, takes longer than a join should wait. */
const LARGE_BYTES = 32 * 1024 * 1024;
/** Transactions after which a table is vacuumed, and those that a large one may wait for. */
const [OLD_AGE, OLDEST_AGE] = [150_000_000, 1_500_000_000];

const willStay = sql`not 'autovacuum_enabled=false' = any(coalesce(reloptions, '{}'))`;

type ChangedTable = {
  readonly name: string;
  readonly needsVacuum: boolean;
  readonly needsAnalyze: boolean;
  /** One VACUUM cannot be split, and everybody would wait for that of a large table. */
  readonly canWait: boolean;
};

/** The work of PostgreSQL's checkpointer and autovacuum, which blocks the engine: decision 0058. */
export function openUpkeep(
  { database, dataDir }: { database: Database; dataDir: string },
  now: () => number = () => performance.now(),
): ScheduledWork {
  const checkpointWhenDue = openTask(CHECKPOINT, makeCheckpoint);
  const syncAhead = openSyncAhead(embeddedFolder(dataDir));
  const vacuumWhenDue = openTask(VACUUM, () => vacuumTables(database));

  async function makeCheckpoint(): Promise<boolean> {
    await syncAhead();
    await syncAhead(); // The first one may take long.
    if (isBeingCopied(database)) return false;
    await run(database.kysely)`checkpoint`;
    return true;
  }

  /** `perform` returns whether all is done; otherwise the task stays due. */
  function openTask(
    { everyMs, afterBytes }: Schedule,
    perform: () => Promise<boolean>,
  ): () => Promise<void> {
    let lastAt = now();
    let lastBytes: number | null = null;
    return async () => {
      const length = await readLogLength(database);
      lastBytes ??= length;
      const written = length - lastBytes;
      const isDue = written >= afterBytes || (written >= IDLE_BYTES && now() - lastAt >= everyMs);
      if (!isDue || isBeingCopied(database) || !(await perform())) return;
      lastAt = now();
      lastBytes = await readLogLength(database);
    };
  }

  return {
    name: 'embedded upkeep',
    everyMs: CHECK_EVERY_MS,
    async run() {
      await vacuumWhenDue();
      await checkpointWhenDue();
    },
  };
}

/** Before a server serves: the engine forgets its statistics when it stops, not ANALYZE's. */
export async function vacuumLargeTables({ kysely }: Database): Promise<void> {
  const rows = await all<{ name: string }>(kysely)`
    select oid::regclass::text as name from pg_class
    where relpersistence = 'p' and relkind = 'r' and ${willStay}
      and (relallvisible < 0.5 * relpages or age(relfrozenxid) > ${OLD_AGE})
      and pg_total_relation_size(oid) > ${LARGE_BYTES}`;
  for (const { name } of rows) await vacuum(kysely, name);
}

async function vacuumTables({ kysely }: Database): Promise<true> {
  for (const { name, needsVacuum, needsAnalyze, canWait } of await listChangedTables(kysely)) {
    await letOthersIn();
    if (needsVacuum && !canWait) await vacuum(kysely, name);
    await letOthersIn();
    if (needsAnalyze) await analyze(kysely, name);
  }
  return true;
}

async function listChangedTables(kysely: Kysely<Tables>): Promise<readonly ChangedTable[]> {
  await run(kysely)`select pg_stat_force_next_flush()`;
  return await all<ChangedTable>(kysely)`
    select * from (
      select format('%I.%I', schemaname, stat.relname) as name,
        n_dead_tup > 50 + 0.2 * live or n_ins_since_vacuum > 1000 + 0.2 * live
          or age > ${OLD_AGE} as "needsVacuum",
        n_mod_since_analyze > 50 + 0.1 * live as "needsAnalyze",
        pg_total_relation_size(relid) > ${LARGE_BYTES} and age < ${OLDEST_AGE} as "canWait"
      from pg_stat_all_tables stat join pg_class on pg_class.oid = relid
      cross join lateral (
        select greatest(reltuples, 0) as live, age(relfrozenxid) as age) as state
      where relpersistence = 'p' and relkind = 'r'
        and ${willStay}) as changed
    where "needsVacuum" or "needsAnalyze"`;
}

async function vacuum(kysely: Kysely<Tables>, name: string): Promise<void> {
  // The default ring buffer (2 MB) makes VACUUM wait ten times as often for the disk.
  await run(kysely)`vacuum (buffer_usage_limit 0) ${sql.raw(name)}`;
}

async function analyze(kysely: Kysely<Tables>, name: string): Promise<void> {
  await kysely.transaction().execute(async (transaction) => {
    // The default of 100 takes half a second at a million members.
    await run(transaction)`set local default_statistics_target = 10`;
    await run(transaction)`analyze ${sql.raw(name)}`;
  });
}

function readLogLength(database: Database) {
  return value<number>(database.kysely)`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as length`;
}

/** Syncs the table files written since the last call: the checkpoint then blocks for less time. */
function openSyncAhead(databaseDir: string): () => Promise<void> {
  let syncedAt = 0;
  return async () => {
    const since = syncedAt;
    syncedAt = Date.now();
    const tables = join(databaseDir, 'base');
    const entries = await readdir(tables, { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name);
      const written = await stat(path).catch(ignoreMissing);
      if (written === null || written.mtimeMs < since) continue;
      const file = await open(path, 'r').catch(ignoreMissing);
      // Linux may report lost data only once, and the checkpoint would not notice it.
      await file?.sync().catch(abortUnsynced);
      await file?.close();
    }
  };
}
