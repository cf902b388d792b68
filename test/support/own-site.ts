import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMigratedPlace, type DatabasePlace, type Engine } from './engines.ts';
import { type ServedSite, serveInProcess } from './in-process-server.ts';

export type OwnSite = ServedSite & {
  readonly place: DatabasePlace;
  /** The kept mails of a member, without the soft line breaks of their encoding. */
  readMails(memberId: string): string[];
  /** Stops it, and deletes its database. */
  close(): Promise<void>;
};

/** A site with a database of its own, for tests that need another one than the shared site. */
export async function openOwnSite(
  settings: Readonly<Record<string, string>> = {},
  engine: Engine = 'postgres',
): Promise<OwnSite> {
  const place = await createMigratedPlace(engine);
  const site = await serveInProcess({
    DATA_DIR: place.dataDir,
    DATABASE_URL: place.databaseUrl ?? '',
    ...settings,
  });
  return {
    ...site,
    place,
    readMails(memberId) {
      const folder = join(place.dataDir, 'mail');
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.includes(memberId) && name.endsWith('.eml'))
        .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''));
    },
    async close() {
      await site.stop();
      await place.remove();
    },
  };
}
