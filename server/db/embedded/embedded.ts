import { dirname } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { type DatabaseConnection, Kysely, PGliteDialect, PGliteDriver, sql } from 'kysely';
import { codeOf, StartupError } from '../../startup-error.ts';
import { columnParsers } from '../column-types.ts';
import { type EngineOptions, inTime, type Opened, type RunSql, rowsOf } from '../database.ts';
import { NO_REPORT, type OutageReport, watchOutages } from '../outage-watch.ts';
import { DISK_FULL } from '../postgres/is-unavailable-error.ts';
import { findUpgrade, inLockedTransaction, migrate } from '../schema/migrate.ts';
import { installQueue } from '../schema/queue-schema.ts';
import type { Tables } from '../schema/tables.ts';
import {
  abortProcess,
  DurableFileSystem,
  durableStartParams,
  isWhole,
} from './durable-file-system.ts';
import { findWriteFault } from './find-write-fault.ts';
import { limitMemoryIfShort } from './low-memory-wasm.ts';

const REQUIRED_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** How PGlite ends when PostgreSQL cannot use its control file, log or catalogues. */
const PANIC_AT_START = /^(?:PGlite failed to initialize|Aborted\(\))/;
/** SQLSTATEs of pages and files that cannot be read. */
const DAMAGED_STATE = /^(?:XX00[12]|58P01)$/;

export async function openEmbedded(
  databaseDir: string,
  { outages = NO_REPORT, skipMigrations = false, beforeUpgrade }: EngineOptions = {},
): Promise<Opened> {
  const pglite = await openEngine(databaseDir);
  const opened = serially(pglite, outages, () => assertWritable(dirname(databaseDir)));
  if (skipMigrations) return opened;
  const runSql = runSqlOn(pglite);
  try {
    const upgrade = await findUpgrade(runSql);
    if (upgrade !== null) await beforeUpgrade?.(upgrade, opened);
    await migrate(runSql);
    await installQueue(runSql);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** Throws PostgreSQL's error of a full disk, on which `select 1` still works. */
async function assertWritable(folder: string): Promise<void> {
  const fault = await findWriteFault(folder);
  if (fault !== null) throw Object.assign(fault, { code: DISK_FULL });
}

/** Opens a copy that is deleted after it was read, without migrations or durability. */
export async function openEmbeddedCopy(databaseDir: string): Promise<Opened> {
  const pglite = new PGlite({
    fs: new NodeFS(databaseDir),
    startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=8MB'],
    parsers: { ...columnParsers },
  });
  await pglite.waitReady;
  return serially(pglite);
}

export async function fillEmbedded<T>(
  databaseDir: string,
  fill: (runSql: RunSql) => Promise<T>,
): Promise<T> {
  const pglite = await openEngine(databaseDir);
  try {
    const runSql = runSqlOn(pglite);
    await installQueue(runSql);
    return await inLockedTransaction(runSql, () => fill(runSql));
  } finally {
    await pglite.close();
  }
}

async function openEngine(databaseDir: string): Promise<EmbeddedPostgres> {
  if (!isWhole(databaseDir)) throw damaged(databaseDir);
  limitMemoryIfShort();
  const fs = new DurableFileSystem(databaseDir);
  const pglite = new EmbeddedPostgres(databaseDir, fs);
  await pglite.waitReady.catch((error: unknown) => {
    fs.stopWatching();
    throw nameDamage(databaseDir, error);
  });
  try {
    await assertDurable(pglite);
    return pglite;
  } catch (error) {
    await pglite.close();
    throw error;
  }
}

function nameDamage(databaseDir: string, error: unknown): unknown {
  const isDamage =
    error instanceof Error &&
    (PANIC_AT_START.test(error.message) || DAMAGED_STATE.test(codeOf(error)));
  return isDamage ? damaged(databaseDir, error) : error;
}

function damaged(databaseDir: string, cause?: Error): StartupError {
  return new StartupError(
    `The database in ${databaseDir} is damaged: put it aside with mv "${databaseDir}" ` +
      `"${databaseDir}.damaged", and bring back the newest backup with ./waitlist restore FILE.`,
    { cause },
  );
}

/** During an outage, such as a full disk, the database answers once `assertUsable` resolves. */
function serially(
  pglite: PGlite,
  outages: OutageReport = NO_REPORT,
  assertUsable: () => Promise<void> = async () => {},
): Opened {
  const dialect = new PGliteDialect({ pglite });
  dialect.createDriver = () => new SerialDriver({ pglite });
  const outage = watchOutages(ping, outages);
  const kysely = new Kysely<Tables>({
    dialect,
    log(event) {
      if (event.level === 'error') outage.notice(event.error);
    },
  });
  const runAlone = runSqlOn(pglite);
  async function ping(): Promise<void> {
    await inTime(sql`select 1`.execute(kysely));
    if (outage.isAway()) await assertUsable();
  }
  return {
    kysely,
    runSql: <Row>(text: string, values?: unknown[]) =>
      kysely
        .connection()
        .execute(() => runAlone<Row>(text, values))
        .catch((error) => {
          outage.notice(error);
          throw error;
        }),
    ping,
    async listen(channel, { onMessage, onReady }) {
      const inOrder = <T>(work: () => Promise<T>) => kysely.connection().execute(work);
      const stop = await inOrder(() => pglite.listen(channel, onMessage));
      onReady();
      return () => inOrder(() => stop());
    },
    countConnections: null,
    async close() {
      outage.stop();
      await kysely.destroy();
      // An unused Kysely leaves its database open.
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** Kysely's own driver would run a query from elsewhere inside an open transaction. */
class SerialDriver extends PGliteDriver {
  #last: Promise<void> = Promise.resolve();
  #endLast: () => void = () => {};

  override async acquireConnection(): Promise<DatabaseConnection> {
    const next = Promise.withResolvers<void>();
    const previous = this.#last;
    this.#last = next.promise;
    await previous;
    this.#endLast = next.resolve;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    this.#endLast();
  }

  /** Kysely destroys without waiting: let earlier callers finish. */
  override async destroy(): Promise<void> {
    await this.#last;
    await super.destroy();
  }
}

export function runSqlOn(pglite: Pick<PGlite, 'query' | 'exec'>): RunSql {
  return async (text, values = []) => {
    try {
      return rowsOf(values.length > 0 ? await pglite.query(text, values) : await pglite.exec(text));
    } catch (error) {
      await pglite.exec('rollback');
      throw error;
    }
  };
}

/** After a PANIC of PostgreSQL, such as a full disk, PGlite's next statement hangs for ever. */
class EmbeddedPostgres extends PGlite {
  readonly #databaseDir: string;

  constructor(databaseDir: string, fs: DurableFileSystem) {
    super({ fs, startParams: durableStartParams, parsers: { ...columnParsers } });
    this.#databaseDir = databaseDir;
  }

  override async execProtocolStream(...args: Parameters<PGlite['execProtocolStream']>) {
    try {
      return await super.execProtocolStream(...args);
    } catch (error) {
      if (isPanic(error))
        abortProcess(`The embedded database cannot go on, so the server stops: ${error.message}`);
      throw nameDamage(this.#databaseDir, error);
    }
  }
}

function isPanic(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  // WebAssembly traps, such as out of memory, are RuntimeErrors.
  return (
    error.name === 'RuntimeError' ||
    ('severity' in error && /^(PANIC|FATAL)$/.test(String(error.severity)))
  );
}

/** A changed default or a line in postgresql.conf could switch durability off. */
export async function assertDurable(pglite: Pick<PGlite, 'query'>): Promise<void> {
  for (const setting of REQUIRED_SETTINGS) {
    const { rows } = await pglite.query<Record<string, string>>(`show ${setting}`);
    if (rows[0]?.[setting] !== 'on')
      throw new StartupError(
        `The embedded database runs with ${setting} off, so a power cut could lose members.`,
      );
  }
}
