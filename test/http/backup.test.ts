/** The operator's downloads over HTTP; test/faults/backup*.ts check what a backup holds. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { getLastBackup } from '../../server/backup/last-backup.ts';
import { engines } from '../support/engines.ts';
import { OPERATOR_TOKEN, openTestApp, type TestApp } from './test-app.ts';

const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };

const downloads = engines.flatMap((engine) => [
  { engine, what: 'a backup', path: operatorPaths.backup, start: 'waitlist-backup 1\n' },
  {
    engine,
    what: 'an export',
    path: `${operatorPaths.exportMembers}?format=csv`,
    start: 'position,email,',
  },
]);

describe.each(downloads)('$what over HTTP from $engine', ({ engine, what, path, start }) => {
  let app: TestApp;
  let url: string;
  beforeEach(async () => {
    app = await openTestApp(engine);
    await app.join('ada@example.com');
    url = (await app.fastify.listen({ port: 0, host: '127.0.0.1' })) + path;
  });
  afterEach(() => app.remove());

  const copyDir = () => join(app.config.dataDir, 'backup.unfinished');

  test('is cached nowhere and leaves no copy behind', async () => {
    const first = await fetch(url, { headers });
    expect(first.status).toBe(200);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const bytes = Buffer.from(await first.arrayBuffer());
    expect(bytes.toString('latin1', 0, start.length)).toBe(start);
    await expect.poll(() => existsSync(copyDir())).toBe(false);
    const { succeededAt, failedAt } = await getLastBackup(app.config.dataDir);
    expect([succeededAt !== null, failedAt]).toEqual([what === 'a backup', null]);
  });

  test('that its client aborts makes room for the next', async () => {
    const breaking = new AbortController();
    const answer = await fetch(url, { headers, signal: breaking.signal });
    expect(answer.status).toBe(200);
    breaking.abort();
    let next = await fetch(url, { headers });
    for (let look = 0; next.status === 409 && look < 100; look += 1) {
      await delay(100);
      next = await fetch(url, { headers });
    }
    expect(next.status).toBe(200);
    await next.arrayBuffer();
    await app.join('grace@example.com');
    await expect.poll(() => existsSync(copyDir())).toBe(false);
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
