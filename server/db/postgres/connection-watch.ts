import type { Socket } from 'node:net';
import pg from 'pg';

const CHECK_EVERY_MS = 1_000;
const SILENT_MS = 4_000;
const PROBE_DEADLINE_MS = 3_000;

/** The types of the driver leave out the id of PostgreSQL's process. */
type Connected = pg.PoolClient & { readonly processID: number };
type Use = { bytesRead: number; silentSince: number };

/** Queries on a dead connection would wait for a quarter of an hour. Long work is silent, too. */
export function watchConnections(pool: pg.Pool, databaseUrl: string): { stop(): void } {
  const open = new Set<Connected>();
  const inUse = new Map<Connected, Use>();
  let isChecking = false;

  pool.on('connect', (client) => open.add(client as Connected));
  pool.on('acquire', (client) => inUse.set(client as Connected, beginUse(client)));
  pool.on('release', (_error, client) => inUse.delete(client as Connected));
  pool.on('remove', (client) => open.delete(client as Connected));

  async function check(): Promise<void> {
    const silent = findSilent();
    if (silent.length === 0) return;
    const processIds = silent.map(([{ processID }]) => processID);
    const working = await findWorking(databaseUrl, processIds);
    const dead = silent.filter(
      ([client, use]) =>
        inUse.get(client) === use && isSilent(client, use) && !working?.has(client.processID),
    );
    for (const [client, use] of silent) Object.assign(use, beginUse(client));
    if (dead.length === 0) return;
    // The idle connections are dead, too, and would each fail a request.
    const idle = [...open].filter((client) => !inUse.has(client));
    for (const client of [...dead.map(([each]) => each), ...idle]) giveUp(client);
  }

  function findSilent(): [Connected, Use][] {
    const silent: [Connected, Use][] = [];
    for (const [client, use] of inUse) {
      if (bytesReadOf(client) !== use.bytesRead) Object.assign(use, beginUse(client));
      else if (isSilent(client, use)) silent.push([client, use]);
    }
    return silent;
  }

  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  }, CHECK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

function beginUse(client: pg.PoolClient): Use {
  return { bytesRead: bytesReadOf(client), silentSince: performance.now() };
}

function bytesReadOf({ connection }: pg.PoolClient): number {
  return (connection.stream as Socket).bytesRead;
}

function isSilent(client: pg.PoolClient, { bytesRead, silentSince }: Use): boolean {
  return bytesReadOf(client) === bytesRead && performance.now() - silentSince >= SILENT_MS;
}

/** Null when PostgreSQL does not answer; all processes when it refuses the query. */
async function findWorking(
  databaseUrl: string,
  processIds: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const probe = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: PROBE_DEADLINE_MS,
    query_timeout: PROBE_DEADLINE_MS,
  });
  probe.on('error', () => {});
  try {
    await probe.connect();
    const { rows } = await probe.query<{ pid: number; is_own: boolean }>(
      `select pid, pid = pg_backend_pid() as is_own from pg_stat_activity
       where pid = pg_backend_pid() or (pid = any($1::int[]) and state is distinct from 'idle')`,
      [processIds],
    );
    // A connection pooler has process numbers of its own.
    const isTrue = rows.some(
      ({ pid, is_own }) => is_own && pid === (probe as unknown as Connected).processID,
    );
    return new Set(isTrue ? rows.map(({ pid }) => pid) : processIds);
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError;
    return isRefused ? new Set(processIds) : null;
  } finally {
    probe.connection.stream.destroy();
  }
}

function giveUp(client: pg.PoolClient): void {
  client.connection.stream.destroy(
    Object.assign(new Error('PostgreSQL has gone silent'), { code: 'ETIMEDOUT' }),
  );
}
