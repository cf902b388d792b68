import { afterEach } from 'vitest';
import {
  createEmptyPostgresDatabase,
  createMigratedPlace,
  type DatabasePlace,
  type Engine,
} from './engines.ts';
import { provideFolder } from './provide-folder.ts';

export type Place = Omit<DatabasePlace, 'remove'>;

/** Databases for each of the tests around it, and a folder; they are deleted afterwards. */
export function providePlaces() {
  const pathOf = provideFolder();
  const made: DatabasePlace[] = [];
  afterEach(async () => {
    for (const place of made.splice(0)) await place.remove();
  });
  async function keep(creating: Promise<DatabasePlace>): Promise<Place> {
    const { remove, ...place } = await creating;
    made.push({ remove, ...place });
    return place;
  }
  return {
    pathOf,
    /** A migrated database without members. */
    createPlace: (engine: Engine) => keep(createMigratedPlace(engine)),
    /** A place without tables; the data folder of an embedded database does not exist yet. */
    createEmptyPlace: async (engine: Engine, name = 'data'): Promise<Place> =>
      engine === 'embedded'
        ? { dataDir: pathOf(name), databaseUrl: null }
        : await keep(createEmptyPostgresDatabase()),
  };
}
