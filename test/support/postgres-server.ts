import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPostgres, type PostgresProcess } from './postgres-installation.ts';
import { freePort } from './server-process.ts';

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/**
 * Starts a new, empty PostgreSQL on a free loopback port in a folder of its own; throws when it
 * cannot. Only with `isDurable` does it wait for the disk.
 */
export async function startPostgres({
  isDurable = false,
  settings: own = {},
}: {
  readonly isDurable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'waitlist-postgres-'));
  let server: PostgresProcess | undefined;
  async function stop(): Promise<void> {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  try {
    const installation = installPostgres(folder);
    const dataDir = join(folder, 'data');
    const password = installation.initialize(dataDir);
    const settings = {
      max_connections: 200,
      ...(isDurable ? {} : { fsync: 'off', full_page_writes: 'off' }),
      ...own,
    };
    server = await installation.start({ dataDir, password, port: await freePort(), settings });
    return { url: server.url, folder, description: installation.description, stop };
  } catch (error) {
    await stop();
    throw new Error('The PostgreSQL for the tests could not be started.', { cause: error });
  }
}
