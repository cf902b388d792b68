import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { Kysely, sql } from 'kysely';
import { StartupError } from '../../startup-error.ts';
import { columnParsers } from '../column-types.ts';
import { type Database, inTime, type RunSql, rowsOf } from '../database.ts';
import { migrate, type SqlSession } from '../schema/migrate.ts';
import { installQueue } from '../schema/queue-schema.ts';
import type { Tables } from '../schema/tables.ts';
import { abortProcess, DurableFileSystem, durableStartParams } from './durable-file-system.ts';
import { EmbeddedDialect } from './embedded-dialect.ts';
import { limitMemoryIfShort } from './low-memory-wasm.ts';

const REQUIRED_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

type Opened = Omit<Database, 'engine'>;

/**
 * Opens an existing embedded database so that acknowledged commits survive a power cut, and brings
 * it up to date, unless `skipMigrations`. Throws StartupError when durability is off or the
 * database is newer.
 */
export async function openEmbedded(
  databaseDir: string,
  { skipMigrations = false } = {},
): Promise<Opened> {
  const pglite = await openEngine(databaseDir);
  try {
    if (!skipMigrations) {
      await migrate(pglite);
      await installQueue(runSqlOn(pglite));
    }
  } catch (error) {
    await pglite.close();
    throw error;
  }
  return serially(pglite);
}

/**
 * Opens a copy that is thrown away after it was read: as it is, and without waiting for the disk.
 */
export async function openEmbeddedCopy(databaseDir: string): Promise<Opened> {
  const pglite = new PGlite({
    fs: new NodeFS(databaseDir),
    // Data that is read only once, from end to end, gains nothing from buffers.
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB'],
    parsers: { ...columnParsers },
  });
  await pglite.waitReady;
  return serially(pglite);
}

/**
 * Runs `fill` on an embedded database that nobody else has opened, in one transaction, and closes
 * it.
 */
export async function fillEmbedded<T>(
  databaseDir: string,
  fill: (session: SqlSession) => Promise<T>,
): Promise<T> {
  const pglite = await openEngine(databaseDir);
  try {
    await installQueue(runSqlOn(pglite));
    await pglite.exec('begin');
    const filled = await fill(pglite);
    await pglite.exec('commit');
    return filled;
  } finally {
    await pglite.close();
  }
}

async function openEngine(databaseDir: string): Promise<EmbeddedPostgres> {
  limitMemoryIfShort();
  const pglite = new EmbeddedPostgres({
    fs: new DurableFileSystem(databaseDir),
    startParams: durableStartParams,
    parsers: { ...columnParsers },
  });
  await pglite.waitReady;
  try {
    await assertDurable(pglite);
    return pglite;
  } catch (error) {
    await pglite.close();
    throw error;
  }
}

function serially(pglite: PGlite): Opened {
  const kysely = new Kysely<Tables>({ dialect: new EmbeddedDialect({ pglite }) });
  const runAlone = runSqlOn(pglite);
  return {
    kysely,
    // Within a turn: between the statements of somebody's transaction it would become part of it.
    runSql: (text, values) => kysely.connection().execute(() => runAlone(text, values)),
    ping: async () => void (await inTime(sql`select 1`.execute(kysely))),
    async listen(channel, { onMessage, onReady }) {
      const inOrder = <T>(work: () => Promise<T>) => kysely.connection().execute(work);
      const stop = await inOrder(() => pglite.listen(channel, onMessage));
      onReady();
      return () => inOrder(() => stop());
    },
    countConnections: null,
    async close() {
      await kysely.destroy();
      // A Kysely that was never asked anything leaves its database open.
      if (!pglite.closed) await pglite.close();
    },
  };
}

function runSqlOn(pglite: PGlite): RunSql {
  return async (text, values = []) => {
    try {
      return rowsOf(
        values.length > 0 ? await pglite.query<unknown>(text, values) : await pglite.exec(text),
      );
    } catch (error) {
      await pglite.exec('rollback');
      throw error;
    }
  };
}

/**
 * PostgreSQL's PANIC (a full disk under its log, say) means: end this process and recover. In
 * PGlite it is an error like any other, after which the next statement hangs for ever.
 */
class EmbeddedPostgres extends PGlite {
  override async execProtocolStream(...args: Parameters<PGlite['execProtocolStream']>) {
    try {
      return await super.execProtocolStream(...args);
    } catch (error) {
      if (isPanic(error))
        abortProcess(`The embedded database cannot go on, so the server stops: ${error.message}`);
      throw error;
    }
  }
}

function isPanic(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  // A RuntimeError is a trap of WebAssembly itself: out of memory, or worse.
  return (
    error.name === 'RuntimeError' ||
    ('severity' in error && /^(PANIC|FATAL)$/.test(String(error.severity)))
  );
}

/**
 * Reads back what really applies: a changed default or a line in postgresql.conf must not undo
 * durability unseen.
 */
export async function assertDurable(pglite: Pick<PGlite, 'query'>): Promise<void> {
  for (const setting of REQUIRED_SETTINGS) {
    const { rows } = await pglite.query<Record<string, string>>(`show ${setting}`);
    if (rows[0]?.[setting] !== 'on')
      throw new StartupError(
        `The embedded database runs with ${setting} off, so a power cut could lose members.`,
      );
  }
}
