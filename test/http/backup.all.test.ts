/** The operator's downloads and where backups go; test/faults/backup*.ts check what one holds. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { getLastBackup } from '../../server/backup/last-backup.ts';
import { oneEngine } from '../support/engines.ts';
import { AS_OWNER, type ProvidedApp, provideApp } from './provide-app.ts';

const EXPORT = `${operatorPaths.exportMembers}?format=csv`;
const copyOf = (app: ProvidedApp) => join(app.config.dataDir, 'backup.unfinished');

describe.each(oneEngine)('over HTTP from %s', (engine) => {
  const app = provideApp(engine);
  let origin: string;
  beforeAll(async () => {
    await app.join('ada@example.com');
    origin = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  });

  describe.each([
    { what: 'a backup', path: operatorPaths.backup, start: 'waitlist-backup 1\n' },
    { what: 'an export', path: EXPORT, start: '\xef\xbb\xbfposition,email,' },
  ])('$what', ({ what, path, start }) => {
    const download = (signal: AbortSignal | null = null) =>
      fetch(origin + path, { headers: AS_OWNER, signal });

    test('is cached nowhere and leaves no copy behind', async () => {
      const before = await getLastBackup(app.config.dataDir);
      const first = await download();
      expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const bytes = Buffer.from(await first.arrayBuffer());
      expect(bytes.toString('latin1', 0, start.length)).toBe(start);
      await expect.poll(() => existsSync(copyOf(app))).toBe(false);
      const after = await getLastBackup(app.config.dataDir);
      expect(after.failedAt).toBe(before.failedAt);
      const isNew = (after.succeededAt ?? 0) > (before.succeededAt ?? 0);
      expect(isNew).toBe(what === 'a backup');
    });

    test('that its client aborts makes room for the next', async () => {
      const breaking = new AbortController();
      expect((await download(breaking.signal)).status).toBe(200);
      breaking.abort();
      const readWhole = async () => {
        const next = await download();
        await next.arrayBuffer();
        return next.status;
      };
      await expect.poll(readWhole).toBe(200);
      await app.join(`${randomUUID()}@example.com`);
      await expect.poll(() => existsSync(copyOf(app))).toBe(false);
    });
  });
});

describe('a backup of the embedded database', () => {
  const app = provideApp('embedded');

  test('of a server that was killed meanwhile is deleted at the next start', async () => {
    mkdirSync(copyOf(app));
    writeFileSync(join(copyOf(app), 'PG_VERSION'), '17');
    await (await app.openAnother()).close();
    expect(existsSync(copyOf(app))).toBe(false);
  });

  // On PostgreSQL, the backup of one member ends before the next request.
  test('is refused, as an export is, while another one is running, and not after', async () => {
    const origin = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    const download = (path: string) => fetch(origin + path, { headers: AS_OWNER });
    const sockets: Socket[] = [];
    app.fastify.server.on('connection', (socket) => sockets.push(socket));
    const alone = download(operatorPaths.backup);
    // Longer than the idle timeout of others: copying a large database takes minutes.
    await expect.poll(() => sockets[0]?.timeout, { interval: 5 }).toBe(600_000);
    expect((await alone).status).toBe(200);
    await (await alone).arrayBuffer();
    const paths = [operatorPaths.backup, operatorPaths.backup, EXPORT];
    const answers = await Promise.all(paths.map(download));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    for (const answer of answers) await answer.arrayBuffer();
    const last = await download(operatorPaths.backup);
    expect(last.status).toBe(200);
    await last.arrayBuffer();
    await expect.poll(() => existsSync(copyOf(app))).toBe(false);
  });
});
