/** The operator's downloads over HTTP; test/faults/backup*.ts check what a backup holds. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { getLastBackup } from '../../server/backup/last-backup.ts';
import { oneEngine } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };

const downloads = [
  { what: 'a backup', path: operatorPaths.backup, start: 'waitlist-backup 1\n' },
  {
    what: 'an export',
    path: `${operatorPaths.exportMembers}?format=csv`,
    start: '\xef\xbb\xbfposition,email,',
  },
];

describe.each(oneEngine)('over HTTP from %s', (engine) => {
  let app: TestApp;
  let origin: string;
  beforeAll(async () => {
    app = await openTestApp(engine);
    await app.join('ada@example.com');
    origin = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.remove());

  const copyDir = () => join(app.config.dataDir, 'backup.unfinished');

  describe.each(downloads)('$what', ({ what, path, start }) => {
    const download = (signal?: AbortSignal) =>
      fetch(origin + path, { headers, ...(signal && { signal }) });

    test('is cached nowhere and leaves no copy behind', async () => {
      const before = await getLastBackup(app.config.dataDir);
      const first = await download();
      expect(first.status).toBe(200);
      expect(first.headers.get('cache-control')).toBe('no-store');
      const bytes = Buffer.from(await first.arrayBuffer());
      expect(bytes.toString('latin1', 0, start.length)).toBe(start);
      await expect.poll(() => existsSync(copyDir())).toBe(false);
      const after = await getLastBackup(app.config.dataDir);
      expect(after.failedAt).toBe(before.failedAt);
      const isNew = (after.succeededAt ?? 0) > (before.succeededAt ?? 0);
      expect(isNew).toBe(what === 'a backup');
    });

    test('that its client aborts makes room for the next', async () => {
      const breaking = new AbortController();
      const answer = await download(breaking.signal);
      expect(answer.status).toBe(200);
      breaking.abort();
      const readWhole = async () => {
        const next = await download();
        await next.arrayBuffer();
        return next.status;
      };
      await expect.poll(readWhole).toBe(200);
      await app.join(`${randomUUID()}@example.com`);
      await expect.poll(() => existsSync(copyDir())).toBe(false);
    });
  });
});

test('the copy left by a server killed during a backup is deleted at the next start', async () => {
  const app = await openTestApp('embedded');
  const copyDir = join(app.config.dataDir, 'backup.unfinished');
  mkdirSync(copyDir);
  writeFileSync(join(copyDir, 'PG_VERSION'), '17');
  await app.openAnother();
  expect(existsSync(copyDir)).toBe(false);
  await app.remove();
});

// On PostgreSQL, the backup of one member ends before the next request.
test('a second backup or export is refused while one is running, and not after', async () => {
  const app = await openTestApp('embedded');
  const origin = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const url = origin + operatorPaths.backup;
  const sockets: Socket[] = [];
  app.fastify.server.on('connection', (socket) => sockets.push(socket));
  const alone = fetch(url, { headers });
  // Longer than the idle timeout of others: copying a large database takes minutes.
  await expect.poll(() => sockets[0]?.timeout, { interval: 5 }).toBe(600_000);
  expect((await alone).status).toBe(200);
  await (await alone).arrayBuffer();
  const other = `${origin}${operatorPaths.exportMembers}?format=csv`;
  const answers = await Promise.all([url, url, other].map((each) => fetch(each, { headers })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  for (const answer of answers) await answer.arrayBuffer();
  expect((await fetch(url, { headers })).status).toBe(200);
  await app.remove();
});
