import type { Database } from '../../server/db/database.ts';

class Killed extends Error {}

/** The database of a server that can be killed at a statement. */
export function mortalDatabase(database: Database) {
  const died = Promise.withResolvers<void>();
  let left = Number.POSITIVE_INFINITY;
  const kysely = database.kysely.withPlugin({
    transformQuery({ node }) {
      left -= 1;
      if (left > 0) return node;
      died.resolve();
      throw new Killed();
    },
    transformResult: async ({ result }) => result,
  });
  return {
    database: { ...database, kysely },
    /** Kills the server at the statement of that number from now, from 1 on. */
    dieAt(number: number) {
      left = number;
    },
    isDead: () => left <= 0,
    died: died.promise,
  };
}
