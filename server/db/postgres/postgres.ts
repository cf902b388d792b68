import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { StartupError } from '../../startup-error.ts';
import { postgresTypes } from '../column-types.ts';
import { type EngineOptions, inTime, type Opened, type RunSql, rowsOf } from '../database.ts';
import { NO_REPORT, watchOutages } from '../outage-watch.ts';
import { findUpgrade, inLockedTransaction, migrateWithin } from '../schema/migrate.ts';
import { installQueue } from '../schema/queue-schema.ts';
import type { Tables } from '../schema/tables.ts';
import { watchConnections } from './connection-watch.ts';
import { checkDatabaseUrl } from './database-url.ts';
import { listenOn } from './listen.ts';
import { connectionErrorOf, startupErrorOf } from './startup-refusals.ts';

const OLDEST_VERSION = 15;
const CONNECTION_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** Then PostgreSQL releases the locks of a server whose network broke within a transaction. */
const IDLE_TRANSACTION_TIMEOUT_MS = 8_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
const SCHEMA = 'public';
const READ_ONLY = '25006';

/** Throws StartupError when PostgreSQL is away or too old, or the database is newer. */
export async function openPostgres(
  url: string,
  { outages = NO_REPORT, skipMigrations = false, beforeUpgrade }: EngineOptions = {},
): Promise<Opened> {
  const databaseUrl = checkDatabaseUrl(url);
  await withClient(databaseUrl, async (client) => {
    await assertUsable(client);
    if (skipMigrations) return;
    await assertWritable(client, databaseUrl);
    const runSql = runOn(client);
    await inLockedTransaction(runSql, async () => {
      const upgrade = await findUpgrade(runSql);
      if (upgrade !== null && beforeUpgrade) {
        const reader = await openPostgres(url, { skipMigrations: true });
        await beforeUpgrade(upgrade, reader).finally(reader.close);
      }
      await migrateWithin(runSql);
    });
    // pg-boss makes its own transactions, so another connection holds the lock.
    await inLockedTransaction(runSql, () =>
      withClient(databaseUrl, (other) => installQueue(runOn(other))),
    );
  });
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    types: postgresTypes,
    ...(!skipMigrations && { verify: refuseStandby }),
  });
  // The pool replaces a broken connection, but an event without a listener ends the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const connections = watchConnections(pool, databaseUrl);
  try {
    // PgBouncer may refuse the settings of the pool.
    (await pool.connect()).release();
  } catch (error) {
    connections.stop();
    await pool.end();
    throw connectionErrorOf(error, databaseUrl);
  }
  const outage = watchOutages(() => ping(pool), outages);
  function noticed(error: unknown): never {
    outage.notice(error);
    throw error;
  }
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        connect: () => pool.connect().catch(noticed),
        end: () => pool.end(),
        options: pool.options,
      },
    }),
    log(event) {
      if (event.level === 'error') outage.notice(event.error);
    },
  });
  return {
    kysely,
    runSql: <Row>(text: string, values?: unknown[]) =>
      runSqlOn<Row>(pool, text, values).catch(noticed),
    ping: () => ping(pool).catch(noticed),
    listen: (channel, listener) => listenOn(databaseUrl, channel, listener),
    countConnections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      connections.stop();
      outage.stop();
      await kysely.destroy();
      if (!pool.ending) await pool.end();
    },
  };
}

/** One transaction, on a database with the tables of the queue alone. Throws StartupError. */
export async function fillPostgres<T>(
  databaseUrl: string,
  fill: (runSql: RunSql) => Promise<T>,
): Promise<T> {
  return await withClient(checkDatabaseUrl(databaseUrl), async (client) => {
    await assertUsable(client);
    await assertEmpty(client);
    const runSql = runOn(client);
    await installQueue(runSql);
    return await inLockedTransaction(runSql, async () => {
      await assertEmpty(client);
      return await fill(runSql);
    });
  });
}

async function assertEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    select relnamespace::regnamespace || '..' || relname as name from pg_class
    where relkind in ('r', 'p')
      and relnamespace::regnamespace::text !~ '^(pg_|information_schema$|pgboss$)'
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
    order by name limit 1`);
  if (rows[0] !== undefined)
    throw new StartupError(
      `The database of DATABASE_URL is not empty (it has ${rows[0].name}): give it an empty one.`,
    );
}

/** The pool's time limits are too short for migrations. */
async function withClient<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  client.on('error', () => {}); // The query under way is rejected with the same error.
  try {
    await client.connect().catch((error) => {
      throw connectionErrorOf(error, databaseUrl);
    });
    return await work(client);
  } catch (error) {
    throw startupErrorOf(error, databaseUrl) ?? error;
  } finally {
    await client.end();
  }
}

/** A failure may leave a transaction open, so its connection is destroyed. */
async function runSqlOn<Row>(pool: pg.Pool, text: string, values?: unknown[]) {
  const client = await pool.connect();
  try {
    const result = rowsOf<Row>(await client.query(text, values));
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function ping(pool: pg.Pool): Promise<void> {
  await inTime(pool.query('select 1'));
}

function runOn(client: pg.Client): RunSql {
  return async (text, values) => rowsOf(await client.query(text, values));
}

/** A role with another search_path would get a second, empty line. */
async function assertUsable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    version: number;
    schema: string | null;
    role: string;
    may_use: boolean;
  }>(
    `select current_setting('server_version_num')::integer / 10000 as version,
       current_schema() as schema, quote_ident(current_user) as role,
       coalesce((select has_schema_privilege(oid, 'usage') from pg_namespace
         where nspname = '${SCHEMA}'), false) as may_use`,
  );
  const { version = 0, schema = null, role = '', may_use: mayUse = false } = rows[0] ?? {};
  if (version < OLDEST_VERSION)
    throw new StartupError(
      `PostgreSQL ${OLDEST_VERSION} or newer is needed; DATABASE_URL leads to ${version}.`,
    );
  if (schema === SCHEMA) return;
  throw new StartupError(
    mayUse
      ? `The search_path of ${role}, the user of DATABASE_URL, leads to ${schema ?? 'no schema'} ` +
          `and not to ${SCHEMA}: run alter role ${role} set search_path = ${SCHEMA}.`
      : `The user of DATABASE_URL may not use the schema ${SCHEMA}: ` +
          `run grant usage on schema ${SCHEMA} to ${role}.`,
  );
}

async function assertWritable(client: pg.Client, databaseUrl: string): Promise<void> {
  if (await isWritable(client)) return;
  const { host } = new URL(databaseUrl);
  throw new StartupError(
    `PostgreSQL at ${host} takes no writes now: DATABASE_URL has to lead to the primary.`,
  );
}

/** During a failover the host may be a standby for a moment: the pool would keep its connection. */
function refuseStandby(client: pg.PoolClient, done: (error?: Error) => void): void {
  const refusal = Object.assign(new Error('PostgreSQL takes no writes now'), { code: READ_ONLY });
  isWritable(client).then((yes) => done(yes ? undefined : refusal), done);
}

async function isWritable(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ transaction_read_only: 'on' | 'off' }>(
    'show transaction_read_only',
  );
  return rows[0]?.transaction_read_only === 'off';
}
