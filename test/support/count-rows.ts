import type { Database } from '../../server/db/database.ts';

/** A view of the database that notes how many rows each query returns. */
export function countRows(database: Database): {
  readonly database: Database;
  readonly rowsOfQueries: number[];
} {
  const rowsOfQueries: number[] = [];
  const kysely = database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      rowsOfQueries.push(result.rows.length);
      return result;
    },
  });
  return { database: { ...database, kysely }, rowsOfQueries };
}
