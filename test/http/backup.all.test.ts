/** The operator's downloads and where backups go; test/faults/backup*.ts check what one holds. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { getLastBackup } from '../../server/backup/last-backup.ts';
import { runCommand } from '../faults/backup-commands.ts';
import { defaultEngine, oneEngine } from '../support/engines.ts';
import { openOwnSite } from '../support/own-site.ts';
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

test.each(defaultEngine)(
  'a backup of %s into a missing folder says so, and works once the folder is there',
  async (engine) => {
    const site = await openOwnSite({}, engine);
    const folder = mkdtempSync(join(tmpdir(), 'waitlist-backup-'));
    onTestFinished(async () => {
      await site.close();
      rmSync(folder, { recursive: true });
    });
    const backupDir = join(folder, 'backups');
    const backUp = () => runCommand('backup', { ...site.place, backupDir });
    const expectRefusal = async (reason: string) => {
      const words = `was not written to the folder ${backupDir}: ${reason}`;
      const stderr = expect.stringMatching(new RegExp(`^${backupDir}/\\S+ ${words}\\.\\n$`));
      expect(await backUp()).toEqual({ exitCode: 1, stdout: '', stderr });
    };
    writeFileSync(backupDir, 'a file');
    await expectRefusal('it is not a folder');
    rmSync(backupDir);
    await expectRefusal('it does not exist');
    mkdirSync(backupDir);
    expect(await backUp()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(readdirSync(backupDir)).toEqual([expect.stringMatching(/\.backup$/)]);
  },
);
