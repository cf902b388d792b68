/** A server with limits on, behind a proxy on this machine. */
import { openDatabase } from '../../server/db/open.ts';
import { dumpDatabase } from '../support/dump-database.ts';
import { createMigratedPlace, type Engine } from '../support/engines.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { PROXY } from './visitor.ts';

export type LimitedServer = Awaited<ReturnType<typeof startLimitedServer>>;

export async function startLimitedServer(
  engine: Engine,
  settings: Readonly<Record<string, string>> = {},
) {
  const place = await createMigratedPlace(engine);
  const others: { server: ServerProcess; remove(): Promise<void> }[] = [];
  const start = (dataDir = place.dataDir) =>
    startServer({
      DATA_DIR: dataDir,
      ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
      SECRET_KEY: 'the secret key of the limits, long enough',
      TRUST_PROXY: PROXY,
      ...settings,
    });
  let server = await start();
  return {
    place,
    url: () => server.url,
    pid: () => server.pid,
    output: () => server.output(),
    /** SIGTERM and a new process; throws if the old one fails. */
    async restart() {
      const exitCode = await server.stop();
      if (exitCode !== 0) throw new Error(`The server ended with ${exitCode}: ${server.output()}`);
      server = await start();
    },
    /** The rows of the wanted tables as text. Stops the server. */
    async dump(isWanted: (table: string) => boolean) {
      await server.stop();
      const database = await openDatabase({ ...place, log: () => {} });
      const { text } = await dumpDatabase(database, isWanted);
      await database.close();
      return text;
    },
    /** Another server on the same PostgreSQL. */
    async startAnother() {
      const folder = await createMigratedPlace('postgres');
      const other = await start(folder.dataDir);
      others.push({ server: other, remove: folder.remove });
      return other;
    },
    async remove() {
      for (const other of others) {
        await other.server.stop();
        await other.remove();
      }
      await server.stop();
      await place.remove();
    },
  };
}
