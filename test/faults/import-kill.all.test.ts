/** A server killed in the middle of an import: after the next start all members join, or none. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ListImport } from '../../contract/operator/imports/list-import.ts';
import { operatorPaths } from '../../contract/operator/paths.ts';
import { fillPath } from '../../contract/paths.ts';
import { createMigratedPlace, defaultEngine } from '../support/engines.ts';
import { callAs, readToken } from '../support/operator-call.ts';
import { startServer } from '../support/server-process.ts';
import { isLong } from '../support/test-form.ts';
import { settingsOf } from './backup-commands.ts';
import { readLine } from './read-line.ts';

const ROWS = isLong ? 6_000 : 1_500;
/** From the request on: within the check, within the import, and about its commit. */
const KILLED_AFTER_MS = isLong ? [5, 20, 50, 100, 200, 400, 800] : [200];
const POLL_MS = 50;

test.each(defaultEngine.flatMap((engine) => KILLED_AFTER_MS.map((ms) => [engine, ms] as const)))(
  'on %s after %i ms nothing is half imported, and the import goes on',
  async (engine, killedAfterMs) => {
    const place = await createMigratedPlace(engine);
    const settings = settingsOf(place);
    let server = await startServer(settings);

    const call = <T>(method: string, path: string, body?: object) =>
      callAs<T>(readToken(place.dataDir), server.url + path, body, method);
    const read = () => call<ListImport>('GET', fillPath(operatorPaths.listImport, id));
    const check = () =>
      call<ListImport>('PUT', fillPath(operatorPaths.importMapping, id), {
        columns: { email: 0, referrer: 1 },
        order: 'file',
      });
    const importAll = () =>
      call('POST', operatorPaths.changes, {
        kind: 'import-members',
        input: { import_id: id, may_mail: true, confirmed: true, mail: 'none' },
        reason: 'moving',
      });
    async function killDuring(work: Promise<unknown>): Promise<void> {
      const ended = work.catch(() => null);
      await pause(killedAfterMs);
      await server.kill();
      await ended;
      server = await startServer(settings);
    }
    async function untilChecked(): Promise<void> {
      if ((await read()).state === 'checking') await check();
      while ((await read()).state === 'checking') await pause(POLL_MS);
    }
    async function countMembers(): Promise<number> {
      return (await call<{ members: number }>('GET', operatorPaths.counts)).members;
    }

    const rows = Array.from(
      { length: ROWS },
      (_, row) => `r${row}@a.example,r${row >> 1}@a.example`,
    );
    const file = Buffer.from(['email,referrer', ...rows].join('\n'));
    const { id } = await call<ListImport>('POST', operatorPaths.imports, {
      file_name: 'list.csv',
      bytes: file.length,
    });
    for (let from = 0; from < file.length; from += 100_000)
      await call('POST', fillPath(operatorPaths.importChunks, id), {
        first_byte: from,
        base64: file.subarray(from, from + 100_000).toString('base64'),
      });

    await killDuring(check());
    expect(await countMembers()).toBe(0);
    if ((await read()).state !== 'checked') await check();
    await untilChecked();
    await killDuring(importAll());
    if ((await read()).state === 'checked') {
      expect(await countMembers()).toBe(0);
      await importAll();
    }
    await expect.poll(async () => (await read()).state, { timeout: 30_000 }).toBe('imported');
    expect(await countMembers()).toBe(ROWS);
    await server.stop();
    expect((await readLine(place)).differences).toEqual([]);
    await place.remove();
  },
);
