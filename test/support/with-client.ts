import pg from 'pg';

/** Does `work` with a connection of its own. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Place of the same database, opened by another role. */
export function asUser<Place extends { readonly databaseUrl: string }>(
  place: Place,
  user: string,
  password: string,
): Place {
  const url = new URL(place.databaseUrl);
  url.username = user;
  url.password = password;
  return { ...place, databaseUrl: url.href };
}
