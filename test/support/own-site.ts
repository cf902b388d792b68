import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMigratedPlace, type Engine } from './engines.ts';
import { serveInProcess } from './in-process-server.ts';

export type OwnSite = Awaited<ReturnType<typeof openOwnSite>>;

/** A site with a database of its own, for tests that need another one than the shared site. */
export async function openOwnSite(
  settings: Readonly<Record<string, string>> = {},
  engine: Engine = 'postgres',
) {
  const place = await createMigratedPlace(engine);
  const site = await serveInProcess({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl ?? '',
    ...settings,
  });
  return {
    ...site,
    place,
    /** The kept mails of a member, without the soft line breaks of their encoding. */
    readMails(memberId: string) {
      const folder = join(place.dataDir, 'mail');
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.includes(memberId) && name.endsWith('.eml'))
        .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''));
    },
    /** Stops it, and deletes its database. */
    async close() {
      await site.stop();
      await place.remove();
    },
  };
}
