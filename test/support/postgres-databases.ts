import { randomBytes } from 'node:crypto';
import { withClient } from './with-client.ts';

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
  await withClient(serverUrl, (client) => client.query(`create database ${name} ${source}`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

/** Drops it, with the connections that it still has. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await withClient(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
}
