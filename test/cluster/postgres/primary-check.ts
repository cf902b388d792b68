/** Answers `/primary` as Patroni does: 200 while this PostgreSQL accepts writes. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const DEADLINE_MS = 1_000;

export type PrimaryCheck = { readonly port: number; close(): void };

export async function servePrimaryCheck(databaseUrl: string): Promise<PrimaryCheck> {
  const server: Server = createServer((_request, response) => {
    void isPrimary(databaseUrl).then((yes) => response.writeHead(yes ? 200 : 503).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

async function isPrimary(databaseUrl: string): Promise<boolean> {
  const patience = { connectionTimeoutMillis: DEADLINE_MS, query_timeout: DEADLINE_MS };
  const client = new pg.Client({ connectionString: databaseUrl, ...patience });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ is_primary: boolean }>(
      'select not pg_is_in_recovery() as is_primary',
    );
    return rows[0]?.is_primary ?? false;
  } catch {
    return false;
  } finally {
    void client.end().catch(() => {});
  }
}
