import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace } from '../support/engines.ts';
import { freePort, runServerToItsEnd, startServer } from '../support/server-process.ts';

let place: DatabasePlace;
beforeEach(async () => {
  place = await createMigratedPlace('embedded');
});
afterEach(() => place.remove());

/** Starts a server that must exit with 1 and print one line and no stack. */
async function refusedWith(settings: Readonly<Record<string, string>>): Promise<string> {
  const { exitCode, output } = await runServerToItsEnd({ DATA_DIR: place.dataDir, ...settings });
  expect(exitCode).toBe(1);
  const lines = output.trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

test('a taken port is named', async () => {
  const port = await freePort();
  const taken = createServer().listen(port, '127.0.0.1');
  expect(await refusedWith({ PORT: String(port) })).toMatch(new RegExp(`${port}.*in use`));
  taken.close();
});

test('an address of another machine is named', async () => {
  expect(await refusedWith({ HOST: '192.0.2.1' })).toContain('192.0.2.1');
});

test('a bad setting is named', async () => {
  expect(await refusedWith({ PUBLIC_URL: 'nonsense' })).toContain('PUBLIC_URL');
});

test('two bad settings are two lines', async () => {
  const { exitCode, output } = await runServerToItsEnd({
    DATA_DIR: place.dataDir,
    PORT: 'x',
    LIMITS: 'x',
  });
  expect(exitCode).toBe(1);
  expect(output.trim().split('\n')).toHaveLength(2);
});

test('a data folder that is a file is refused', async () => {
  const file = join(place.dataDir, 'a file');
  writeFileSync(file, '');
  expect(await refusedWith({ DATA_DIR: file })).toContain(file);
});

test('a data folder that others can write to is refused, with the command to fix it', async () => {
  chmodSync(place.dataDir, 0o770);
  expect(await refusedWith({})).toBe(
    `Others can write to the data folder ${place.dataDir}. Run: chmod -R go-w "${place.dataDir}"`,
  );
});

test('a PostgreSQL that does not answer is reported without its password', async () => {
  const url = `postgres://waitlist:secret@127.0.0.1:${await freePort()}/waitlist`;
  expect(await refusedWith({ DATABASE_URL: url })).not.toContain('secret');
});

test('a second server on one data folder is refused, and the first goes on', async () => {
  const first = await startServer({ DATA_DIR: place.dataDir });
  expect(await refusedWith({})).toContain(place.dataDir);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  expect(await first.stop()).toBe(0);
});

test('a secret key of another database is refused, whether set or found in the folder', async () => {
  const first = await startServer({ DATA_DIR: place.dataDir });
  await first.stop();
  expect(await refusedWith({ SECRET_KEY: 'another key, long enough to be one' })).toMatch(
    /^SECRET_KEY does not belong/,
  );
  rmSync(join(place.dataDir, 'secret-key'));
  expect(await refusedWith({})).toMatch(
    /secret-key in .* does not belong to this database: copy the right file/,
  );
});
