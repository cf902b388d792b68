import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StartupError } from '../../server/startup-error.ts';
import { openTestApp } from '../http/test-app.ts';
import { createMigratedPlace, type DatabasePlace } from '../support/engines.ts';
import { freePort, runServerToItsEnd } from '../support/server-process.ts';
import { runCommand } from './backup-commands.ts';

let place: DatabasePlace;
beforeAll(async () => {
  place = await createMigratedPlace('embedded');
});
afterAll(() => place.remove());

/** Starts a server that must exit with 1 and print one line and no stack. */
async function refusedWith(settings: Readonly<Record<string, string>>): Promise<string> {
  const own = { DATA_DIR: place.dataDir, ...settings };
  const { exitCode, output } = await runServerToItsEnd(own);
  expect(exitCode).toBe(1);
  const lines = output.trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

test('a taken port is named before anything is created', async () => {
  const port = await freePort();
  const taken = createServer().listen(port, '127.0.0.1');
  const dataDir = join(place.dataDir, 'new');
  const refusal = await refusedWith({ PORT: String(port), DATA_DIR: dataDir });
  expect(refusal).toMatch(new RegExp(`${port}.*in use`));
  expect(existsSync(dataDir)).toBe(false);
  taken.close();
});

test('a Node that is too old is told which one is needed', () => {
  const older = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } });`;
  const preload = `data:text/javascript,${encodeURIComponent(older)}`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', preload, fileURLToPath(new URL('../../server/main.ts', import.meta.url))],
    { encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Node 24 or newer is required; this is v\d+\.\d+\.\d+: run npm start, .*\.\n$/,
  );
});

test('verify refuses a folder without a database, and makes none', async () => {
  const dataDir = join(place.dataDir, 'empty');
  mkdirSync(dataDir, { mode: 0o700 });
  const { exitCode, stderr } = await runCommand('verify', { dataDir, databaseUrl: null });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: `There is no database in ${dataDir}.\n`,
  });
  expect(readdirSync(dataDir)).toEqual([]);
});

test('an address of another machine is named', async () => {
  expect(await refusedWith({ HOST: '192.0.2.1' })).toContain('192.0.2.1');
});

test('each bad setting is a line, and an unknown name in .env is told the nearest', async () => {
  writeFileSync(join(place.dataDir, '.env'), '\uFEFFPROT=8080\n');
  const bad = { DATA_DIR: place.dataDir, PUBLIC_URL: 'nonsense', LIMITS: 'x' };
  const { exitCode, output } = await runServerToItsEnd(bad, place.dataDir);
  expect(exitCode).toBe(1);
  expect(output.trim().split('\n').toSorted()).toEqual([
    '.env sets PROT, which is not a setting: did you mean PORT?',
    expect.stringMatching(/^LIMITS /),
    expect.stringMatching(/^PUBLIC_URL /),
  ]);
});

test('a PostgreSQL that does not answer is reported without its password', async () => {
  const url = `postgres://waitlist:secret@127.0.0.1:${await freePort()}/waitlist`;
  const dataDir = join(place.dataDir, 'another');
  const refusal = await refusedWith({ DATABASE_URL: url, DATA_DIR: dataDir });
  expect(refusal).toContain('No PostgreSQL answers');
  expect(refusal).not.toContain('secret');
});

test('a secret key of another database is refused, from the settings or the folder', async () => {
  const app = await openTestApp('embedded');
  await expect(
    app.openAnother({ secretKey: 'another key, long enough to be one' }),
  ).rejects.toThrow(
    new StartupError(
      'SECRET_KEY does not belong to this database: all its servers need the same key.',
    ),
  );
  rmSync(join(app.config.dataDir, 'secret-key'));
  await expect(app.openAnother()).rejects.toThrow(
    /secret-key in .* does not belong to this database: copy the right file/,
  );
  await app.remove();
});
