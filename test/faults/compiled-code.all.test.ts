import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMigratedPlace, type DatabasePlace } from '../support/engines.ts';
import { startServer } from '../support/server-process.ts';

let place: DatabasePlace;
beforeEach(async () => {
  place = await createMigratedPlace('embedded');
});
afterEach(() => place.remove());

const FILES_OF_THE_SERVER = 100;

test('a server that is killed leaves its compiled code to the next start', async () => {
  const cacheDir = join(place.dataDir, 'compiled');
  const server = await startServer({ DATA_DIR: place.dataDir, NODE_COMPILE_CACHE: cacheDir });
  const countKept = () => readdirSync(cacheDir, { recursive: true }).length;
  await expect.poll(countKept).toBeGreaterThan(FILES_OF_THE_SERVER);
  await server.kill();
  expect(countKept()).toBeGreaterThan(FILES_OF_THE_SERVER);
});
