/**
 * Lets go of connections to PostgreSQL that have gone silent. When the network in between stops carrying, nobody tells the client: a query
 * would wait for a quarter of an hour, and the connections of the pool would be taken by those that wait.
 */
import type { Socket } from 'node:net';
import pg from 'pg';

const LOOK_EVERY_MS = 1_000;
/** Without a byte for so long while it is in use, a connection is asked about. */
const SILENT_MS = 4_000;
const PROBE_DEADLINE_MS = 3_000;

/** The number of the server's process behind it is there and not in the driver's types. */
type Connected = pg.PoolClient & { readonly processID: number };
type Use = { bytesRead: number; silentSince: number };

/**
 * Long work is silent too. So it is PostgreSQL that is asked, over another connection, who works for us: a connection in use that it knows
 * nothing of is dead, and when it cannot be asked, all silent ones are. Their queries are rejected with ETIMEDOUT.
 */
export function watchConnections(pool: pg.Pool, databaseUrl: string, log: (line: string) => void): { stop(): void } {
  const open = new Set<Connected>();
  const inUse = new Map<Connected, Use>();
  let isLooking = false;

  pool.on('connect', (client) => open.add(client as Connected));
  pool.on('acquire', (client) => inUse.set(client as Connected, beginUse(client)));
  pool.on('release', (_error, client) => inUse.delete(client as Connected));
  pool.on('remove', (client) => open.delete(client as Connected));

  async function look(): Promise<void> {
    const silent = findSilent();
    if (silent.length === 0) return;
    const working = await findWorking(
      databaseUrl,
      silent.map(([{ processID }]) => processID),
    );
    const dead = silent.filter(
      ([client, use]) => inUse.get(client) === use && isSilent(client, use) && !working?.has(client.processID),
    );
    for (const [client, use] of silent) Object.assign(use, beginUse(client));
    if (dead.length === 0) return;
    log(`${dead.length} connections to PostgreSQL have gone silent and are given up.`);
    // Those that nobody uses went the same way, and would each be noticed by the next to use it.
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
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  }, LOOK_EVERY_MS).unref();
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

/** Which of the server's processes are at work; null when it does not answer, and all of them when it will not say. */
async function findWorking(databaseUrl: string, processIds: readonly number[]): Promise<ReadonlySet<number> | null> {
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
    // A pooler in between gives out numbers of its own, which say nothing.
    const isTrue = rows.some(({ pid, is_own }) => is_own && pid === (probe as unknown as Connected).processID);
    return new Set(isTrue ? rows.map(({ pid }) => pid) : processIds);
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError;
    return isRefused ? new Set(processIds) : null;
  } finally {
    probe.connection.stream.destroy();
  }
}

function giveUp(client: pg.PoolClient): void {
  client.connection.stream.destroy(Object.assign(new Error('PostgreSQL has gone silent'), { code: 'ETIMEDOUT' }));
}
