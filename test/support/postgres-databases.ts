import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Creates a database with a unique name on the server of `serverUrl`: empty, or a copy of
 * `template`.
 */
export async function createDatabase(
  serverUrl: string,
  template?: string,
): Promise<{ name: string; url: string }> {
  const name = `waitlist_test_${randomBytes(6).toString('hex')}`;
  const source = `template ${template ?? 'template0'} strategy file_copy`;
  await execute(serverUrl, `create database ${name} ${source}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

/** Drops it, with the connections that it still has. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await execute(serverUrl, `drop database ${name} with (force)`);
}

async function execute(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
