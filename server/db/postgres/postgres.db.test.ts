import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyPostgresDatabase } from '../../../test/support/engines.ts';
import { freePort } from '../../../test/support/server-process.ts';
import { openDatabase } from '../open.ts';

test('a query that takes too long is ended, and is no outage', async () => {
  const place = await createEmptyPostgresDatabase();
  let outages = 0;
  const database = await openDatabase({
    ...place,
    log: () => {},
    outages: { onAway: () => (outages += 1), onBack() {} },
  });
  const tooLong = database.kysely.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 50`.execute(transaction);
    await sql`select pg_sleep(5)`.execute(transaction);
  });
  await expect(tooLong).rejects.toMatchObject({ code: '57014' });
  expect(outages).toBe(0);
  await database.close();
  await place.remove();
});

describe('the refusal of a DATABASE_URL', () => {
  let place: Awaited<ReturnType<typeof createEmptyPostgresDatabase>>;
  beforeAll(async () => {
    place = await createEmptyPostgresDatabase();
  });
  afterAll(() => place.remove());

  function openWith(change: (url: URL) => void) {
    const url = new URL(place.databaseUrl);
    change(url);
    return openDatabase({ dataDir: place.dataDir, databaseUrl: url.href, log: () => {} });
  }

  test('says that no PostgreSQL answers', async () => {
    const port = await freePort();
    const opening = openWith((url) => {
      url.port = String(port);
    });
    await expect(opening).rejects.toThrow(
      `No PostgreSQL answers at 127.0.0.1:${port} (DATABASE_URL): ` +
        'is it running, and is the address right?',
    );
  });

  test('says that no PostgreSQL answers behind a proxy', async () => {
    const proxy = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const opening = openWith((url) => {
      url.port = String(port);
    });
    await expect(opening).rejects.toThrow(
      `No PostgreSQL answers at 127.0.0.1:${port} (DATABASE_URL)`,
    );
    proxy.close();
  });

  test('names a wrong password without printing it', async () => {
    const opening = openWith((url) => {
      url.password = 'wrong-secret';
    });
    await expect(opening).rejects.toThrow(
      /^PostgreSQL at \S+ refused the user name or password of DATABASE_URL\.$/,
    );
  });

  test('names a database that does not exist', async () => {
    const opening = openWith((url) => {
      url.pathname = '/nowhere';
    });
    await expect(opening).rejects.toThrow(
      /^PostgreSQL at \S+ has no database nowhere: create it first\.$/,
    );
  });

  test('says that PostgreSQL offers no TLS', async () => {
    const opening = openWith((url) => url.searchParams.set('sslmode', 'require'));
    await expect(opening).rejects.toThrow(/disagree about TLS: The server does not support SSL/);
  });

  test('names another search_path', async () => {
    const opening = openWith((url) => url.searchParams.set('options', '-c search_path=elsewhere'));
    await expect(opening).rejects.toThrow(
      'The search_path of postgres, the user of DATABASE_URL, leads to no schema and not to ' +
        'public: run alter role postgres set search_path = public.',
    );
  });

  test('has the line that the configuration of PgBouncer lacks', async () => {
    const bouncer = await openStrictBouncer(new URL(place.databaseUrl));
    const opening = openWith((url) => {
      url.port = String(bouncer.port);
    });
    await expect(opening).rejects.toThrow(
      `The PgBouncer at 127.0.0.1:${bouncer.port} refuses settings of the server: add ` +
        'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout to',
    );
    bouncer.close();
  });
});

/** It refuses a connection with a startup parameter unknown to it, which is PgBouncer's default. */
async function openStrictBouncer({ hostname, port }: URL) {
  const bouncer = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (startup) => {
      if (startup.includes('statement_timeout')) {
        const fields = 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0';
        const head = Buffer.from('E\0\0\0\0');
        head.writeUInt32BE(fields.length + 4, 1);
        socket.end(Buffer.concat([head, Buffer.from(fields)]));
        return;
      }
      const postgres = connect(Number(port), hostname).on('error', () => {});
      postgres.write(startup);
      socket.pipe(postgres).pipe(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(bouncer, 'listening');
  return { port: (bouncer.address() as AddressInfo).port, close: () => bouncer.close() };
}

test('five servers that start at once on an empty database all start', async () => {
  const { databaseUrl, dataDir, remove } = await createEmptyPostgresDatabase();
  const opened = await Promise.all(
    Array.from({ length: 5 }, () => openDatabase({ dataDir, databaseUrl, log: () => {} })),
  );
  for (const database of opened) {
    await database.ping();
    await database.close();
  }
  await remove();
});
