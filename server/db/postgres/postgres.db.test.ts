import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmptyPostgresDatabase } from '../../../test/support/engines.ts';
import { freePort } from '../../../test/support/server-process.ts';
import { openDatabase } from '../open.ts';

describe('a DATABASE_URL that does not work', () => {
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

  test('is told to lead nowhere', async () => {
    const port = await freePort();
    const opening = openWith((url) => {
      url.port = String(port);
    });
    await expect(opening).rejects.toThrow(
      `No PostgreSQL answers at 127.0.0.1:${port} (DATABASE_URL): ` +
        'is it running, and is the address right?',
    );
  });

  test('is told to lead nowhere by a proxy that has no PostgreSQL to lead to', async () => {
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

  test('is told to have the wrong password, without the password', async () => {
    const opening = openWith((url) => {
      url.password = 'wrong-secret';
    });
    await expect(opening).rejects.toThrow(
      /^PostgreSQL at \S+ refused the user name or password of DATABASE_URL\.$/,
    );
  });

  test('is told to name a database that does not exist', async () => {
    const opening = openWith((url) => {
      url.pathname = '/nowhere';
    });
    await expect(opening).rejects.toThrow(
      /^PostgreSQL at \S+ has no database nowhere: create it first\.$/,
    );
  });
});

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
