import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { embeddedFolder } from '../../server/db/embedded/create-embedded.ts';
import { createMigratedPlace, type DatabasePlace } from '../support/engines.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { isLong } from '../support/test-form.ts';
import { joinOverHttp, startJoinLoad } from './join-load.ts';

let place: DatabasePlace;
let server: ServerProcess;
beforeEach(async () => {
  place = await createMigratedPlace('embedded');
  server = await startServer({ DATA_DIR: place.dataDir, LIMITS: 'off' });
});
afterEach(async () => {
  await server.kill();
  await place.remove();
});

test.each(isLong ? ['busy', 'idle'] : ['busy'])(
  'with its database deleted, a server that is %s ends by itself',
  async (kind) => {
    await joinOverHttp(server.url, 'ada@example.com', null);
    const load = kind === 'busy' ? startJoinLoad([server.url], 4) : null;
    const folder = embeddedFolder(place.dataDir);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    const sentence = `${folder} was deleted under the server, so the server stops.`;
    await expect.poll(() => server.output(), { timeout: 20_000 }).toContain(sentence);
    expect(await server.stop()).toBe(1);
    await load?.stop();
  },
);
